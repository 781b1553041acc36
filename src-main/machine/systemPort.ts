import { z } from 'zod'

const text = z.string().optional().catch(undefined)

export const systemPortSchema = z.object({
  path: z.string().min(1),
  manufacturer: text,
  vendorId: text,
  productId: text,
  /** Linux only. */
  product: text,
  /** Windows only. */
  friendlyName: text,
})
export type SystemPort = z.infer<typeof systemPortSchema>
