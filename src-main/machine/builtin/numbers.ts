/** What registers hold, as a saved state is checked for it. */
import { z } from 'zod'

export const byte = z.int().min(0).max(0xff)
export const word = z.int().min(0).max(0xffff)
