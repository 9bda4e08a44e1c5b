import { answerJobs } from '#platform/worker-pool.ts'
import { renderPiece } from '../rendering.ts'

answerJobs(renderPiece)
