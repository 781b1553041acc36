import { z } from 'zod'
import { errorCodes, type Failure } from './errors'

/** Kept apart from the errors themselves, as workers do without schemas. */
export const failureSchema: z.ZodType<Failure> = z.strictObject({
  code: z.enum(errorCodes),
  message: z.string().max(2000),
  hint: z.string().max(2000).optional(),
  details: z.record(z.string().max(100), z.union([z.string().max(2000), z.number(), z.boolean()])).optional(),
})
