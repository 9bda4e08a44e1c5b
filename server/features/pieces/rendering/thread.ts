import { answerJobs } from '#platform/worker-pool.ts'
import { renderPiece } from './render-piece.ts'

answerJobs(renderPiece)
