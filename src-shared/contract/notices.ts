/** What is told to a person who may be looking elsewhere, and the place that it is about. */
import { z } from 'zod'
import { projectId, runKey, sourceSchema } from './orchestration'
import { taskId } from './tasks'

const placeSchema = z.discriminatedUnion('kind', [
  /** Something that waits for a person, by where it stands. */
  z.strictObject({ kind: z.literal('need'), project: projectId, run: runKey, source: sourceSchema }),
  z.strictObject({ kind: z.literal('task'), id: taskId }),
  /** A run that ended. */
  z.strictObject({ kind: z.literal('run'), project: projectId, run: runKey }),
  /** Several runs that ended, or one that has no page. */
  z.strictObject({ kind: z.literal('report') }),
  /** What an agent asks the person. */
  z.strictObject({ kind: z.literal('steering') }),
])
export type NoticePlace = z.infer<typeof placeSchema>

export const noticeEvents = {
  /** Raised once for each thing; never for what was there already when its project was opened. */
  'notice.raised': z.strictObject({ title: z.string().max(200), body: z.string().max(600), about: placeSchema }),
} as const

export const noticeWindowEvents = {
  /** The person chose a notification: the page goes there. */
  'window.showPlace': placeSchema,
} as const
