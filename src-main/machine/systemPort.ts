import { z } from 'zod'

const text = z.string().optional().catch(undefined)

export const systemPortSchema = z.object({
  path: z.string().min(1),
  manufacturer: text,
  vendorId: text,
  productId: text,
  /** On Linux alone. */
  product: text,
  /** On Windows alone. */
  friendlyName: text,
})
/** What a system reports of a port; USB's numbers in hex. */
export type SystemPort = z.infer<typeof systemPortSchema>
