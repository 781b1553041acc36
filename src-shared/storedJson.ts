import type { z } from 'zod'

/** A value that we wrote as JSON; undefined where there is none, or none that its schema takes. */
export function storedJson<T>(text: string | undefined, schema: z.ZodType<T>): T | undefined {
  try {
    return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
