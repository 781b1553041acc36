import type { z } from 'zod'

export function storedJson<T>(text: string | undefined, schema: z.ZodType<T>): T | undefined {
  try {
    return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
