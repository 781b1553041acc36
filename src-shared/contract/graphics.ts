import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { bytesSchema } from './memory'
import { savedOutput } from './savedFile'

export const MAX_SHEET_BYTES = 4 * 1024 * 1024

const sheet = bytesSchema(MAX_SHEET_BYTES)

export const MAX_GRAPHICS_FILE_BYTES = 16 * 1024 * 1024

/** The page may save files with these extensions alone. */
export const graphicsExtensions = [
  'spd',
  'spr',
  'spm',
  'ctm',
  'petmate',
  'koa',
  'koala',
  'kla',
  'art',
  'ocp',
  'aas',
  'mpic',
  'fli',
  'fd2',
  'bml',
  'asm',
  'kick',
  'a',
  'tas',
  's',
  'inc',
  'c',
  'h',
  'bas',
  'png',
  'apng',
  'gif',
  'bin',
  'prg',
] as const

const graphicsFile = z.strictObject({ name: z.string().max(300), bytes: bytesSchema(MAX_GRAPHICS_FILE_BYTES) })
export type GraphicsFile = z.infer<typeof graphicsFile>

export const graphicsCommands = {
  'graphics.sheet': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({ bytes: sheet.nullable() }),
  }),
  'graphics.keepSheet': bridgeCommand({
    effect: 'keeps',
    input: z.strictObject({
      bytes: sheet,
      /** The earlier sheet stays beside this one where some of it could not be read. */
      setsAside: z.boolean(),
    }),
    output: z.strictObject({}),
  }),
  'graphics.choose': mainCommand({
    input: z.strictObject({}),
    output: z.strictObject({ file: graphicsFile.nullable() }),
    deadline: 0,
  }),
  'graphics.readGranted': mainCommand({
    input: z.strictObject({ grant: z.string().min(16).max(64) }),
    output: z.strictObject({ file: graphicsFile }),
    deadline: 60_000,
  }),
  'graphics.saveFile': mainCommand({
    input: z.strictObject({
      bytes: bytesSchema(MAX_GRAPHICS_FILE_BYTES),
      name: z
        .string()
        .min(1)
        .max(100)
        .regex(/^[\w. -]+$/),
      extension: z.enum(graphicsExtensions),
    }),
    output: savedOutput,
    deadline: 0,
  }),
} as const
