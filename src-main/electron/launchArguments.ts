import { parseArgs } from 'node:util'
import { machineNameSchema } from '@shared/contract/machine'
import { themes } from '@shared/contract/window'
import { z } from 'zod'

export const openRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('machine'), machine: machineNameSchema }),
  z.strictObject({ kind: z.literal('program'), path: z.string().min(1).max(4096) }),
])
export type OpenRequest = z.infer<typeof openRequestSchema>

const sizeSchema = z
  .string()
  .regex(/^\d{3,4}x\d{3,4}$/, '--size takes pixels, such as 1400x900')
  .transform((text) => {
    const [width = 0, height = 0] = text.split('x').map(Number)
    return { width, height }
  })

const optionsSchema = z.strictObject({
  screenshot: z.string().min(1).optional(),
  view: z
    .string()
    .regex(/^[a-z]{1,30}$/i, '--view takes a view’s name, such as memory')
    .toLowerCase()
    .optional(),
  machine: machineNameSchema.optional(),
  size: sizeSchema.optional(),
  theme: z.enum(themes).optional(),
})

export type LaunchArguments = z.infer<typeof optionsSchema> & { readonly open: OpenRequest | undefined }

export function parseLaunchArguments(args: readonly string[]): LaunchArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      screenshot: { type: 'string' },
      view: { type: 'string' },
      machine: { type: 'string' },
      size: { type: 'string' },
      theme: { type: 'string' },
    },
  })
  const options = optionsSchema.safeParse({ ...values })
  if (!options.success) throw new Error(options.error.issues.map(({ message }) => message).join('; '))
  const [first, ...more] = positionals
  if (more.length > 0) throw new Error('Give one program or one machine to open.')
  return { ...options.data, open: first === undefined ? undefined : openRequest(first) }
}

function openRequest(argument: string): OpenRequest {
  const isMachine = /^(builtin|vice)(:|$)/.test(argument) && machineNameSchema.safeParse(argument).success
  return isMachine ? { kind: 'machine', machine: argument } : { kind: 'program', path: argument }
}

export const firstMachine = ({ machine, open }: LaunchArguments): string =>
  machine ?? (open?.kind === 'machine' ? open.machine : 'builtin')

/** The part after `--`; in a packaged app all that is no option of Chromium. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  const marker = argv.indexOf('--')
  if (marker >= 0) return argv.slice(marker + 1)
  return isPackaged ? argv.slice(1).filter((argument) => !argument.startsWith('-')) : []
}
