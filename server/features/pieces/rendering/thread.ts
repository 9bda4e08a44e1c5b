import { answerJobs } from '#platform/threads.ts'
import { renderPiece } from '../rendering.ts'

answerJobs(renderPiece)
