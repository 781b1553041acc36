import { z } from 'zod'

export const byte = z.int().min(0).max(0xff)
export const word = z.int().min(0).max(0xffff)
