import { z } from 'zod'
import { projectId, runKey, sourceSchema } from './orchestration'
import { taskId } from './tasks'

const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('need'), project: projectId, run: runKey, source: sourceSchema }),
  z.strictObject({ kind: z.literal('task'), id: taskId }),
  z.strictObject({ kind: z.literal('run'), project: projectId, run: runKey }),
  z.strictObject({ kind: z.literal('report') }),
  z.strictObject({ kind: z.literal('steering') }),
])
export type NoticePlace = z.infer<typeof placeSchema>

export const noticeEvents = {
  /** Raised once for each thing; never for what was already there when its project was opened. */
  'notice.raised': z.strictObject({ title: z.string().max(200), body: z.string().max(600), about: placeSchema }),
} as const

export const noticeWindowEvents = {
  'window.showPlace': placeSchema,
} as const
