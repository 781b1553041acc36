import { z } from 'zod'
import type { PlannedTask } from './applyEvent'

const text = z.union([z.string(), z.number().transform(String)])
const texts = z.array(text)

const plannedTask = z.looseObject({
  id: text,
  title: text,
  dependencies: texts.optional(),
  depends_on: texts.optional(),
  files: z.array(z.unknown()).optional(),
})
export const planSchema = z.looseObject({ tasks: z.array(plannedTask).min(1) })
export const summarySchema = z.looseObject({
  task_id: text.optional(),
  status: z.enum(['complete', 'failed', 'blocked', 'checkpoint', 'timeout']),
  commits: texts.transform((names) => names.filter((name) => name.trim() !== '')).optional(),
  verification_result: z
    .looseObject({ success: z.boolean().optional(), command: z.string().optional(), output: z.string().optional() })
    .optional(),
  message: z.string().optional(),
  notes: z.string().optional(),
  reason: z.string().optional(),
  options: texts.optional(),
  resume_id: text.optional(),
})
export const checkpointSchema = z.looseObject({
  type: z.literal('checkpoint'),
  reason: z.string().optional(),
  message: z.string(),
  options: texts.optional(),
  resume_id: text.optional(),
})
export const verificationSchema = z.looseObject({
  phase_id: text.optional(),
  passed: z.boolean(),
  gaps: z
    .array(
      z.union([
        z.string(),
        z.looseObject({ description: z.string().optional(), suggested_task: z.unknown().optional() }),
      ]),
    )
    .optional(),
})
export const researchSchema = z.looseObject({ knowledge: z.array(z.unknown()) })

export type Plan = z.infer<typeof planSchema>
export type Summary = z.infer<typeof summarySchema>
export type Verification = z.infer<typeof verificationSchema>

/** Safe as a part of a file's name. */
const usableId = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u

export function checkPlan(plan: Plan): {
  readonly tasks: readonly PlannedTask[]
  readonly problem?: string
  readonly warnings: readonly string[]
} {
  const seen = new Set<string>()
  const ids = new Set(plan.tasks.map(({ id }) => id))
  const warnings: string[] = []
  const tasks = plan.tasks.map(({ id, title, dependencies, depends_on }): PlannedTask => ({
    id,
    title,
    dependencies: dependencies ?? depends_on ?? [],
  }))
  const refuse = (problem: string) => ({ tasks, problem, warnings })
  for (const [index, { id, title, dependencies }] of tasks.entries()) {
    if (!usableId.test(id))
      return refuse(`Task ${index + 1} has an id that cannot be a file name: ${JSON.stringify(id.slice(0, 60))}`)
    if (title.trim() === '') return refuse(`Task ${id} has no title`)
    if (seen.has(id)) return refuse(`Two tasks have the id ${id}`)
    for (const dependency of dependencies) {
      if (!ids.has(dependency))
        return refuse(
          `Invalid Topology: task ${id} needs ${JSON.stringify(dependency.slice(0, 60))}, which is not in the plan`,
        )
      if (!seen.has(dependency))
        return refuse(`Invalid Topology: task ${id} needs ${dependency}, which does not come before it`)
    }
    seen.add(id)
    const files = plan.tasks[index]?.files?.length ?? 0
    if (files > 3) warnings.push(`Task ${id} exceeds the context budget: ${files} files; at most 3 are allowed`)
  }
  return { tasks, warnings }
}

export interface Gap {
  readonly description: string
  readonly suggestedTask: string | undefined
}

export const gapsOf = ({ gaps }: Verification): Gap[] =>
  (gaps ?? []).map((gap) => {
    if (typeof gap === 'string') return { description: gap, suggestedTask: undefined }
    const { description = `not described: ${JSON.stringify(gap)}`, suggested_task: task } = gap
    return { description, suggestedTask: typeof task === 'string' || task === undefined ? task : JSON.stringify(task) }
  })
