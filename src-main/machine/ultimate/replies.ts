import { z } from 'zod'
import type { ConfigurationItem, Drive } from '@shared/contract/machineStorage'
import { plainText } from './json'

const text = z.string().transform(plainText)
const optionalText = text.nullish().transform((value) => value ?? null)

export const UNKNOWN_FIRMWARE = 'unknown'

export interface UltimateInfo {
  readonly product: string
  readonly firmware: string
  readonly hostname: string | null
  readonly uniqueId: string | null
}

export const infoReply = z
  .looseObject({ product: text, firmware_version: text, hostname: optionalText, unique_id: optionalText })
  .transform(({ product, firmware_version, hostname, unique_id }): UltimateInfo => ({
    product,
    firmware: firmware_version,
    hostname,
    uniqueId: unique_id,
  }))

export const versionReply = z.looseObject({ version: text })

export const debugRegisterReply = z
  .looseObject({ value: z.string().regex(/^[0-9a-f]{1,2}$/i) })
  .transform(({ value }) => Number.parseInt(value, 16))

export const inputReply = z.looseObject({})

const driveNames: Partial<Record<string, string>> = { 'IEC Drive': 'softiec', 'Printer Emulation': 'printer' }
/** REST paths exist for `a`, `b` and `softiec` only; other devices, such as the printer, are merely listed. */
const driveRoles: Partial<Record<string, Drive['role']>> = { a: 'floppy', b: 'floppy', softiec: 'folder' }

const flag = z.union([z.boolean(), z.number().transform((value) => value !== 0)])
const driveDetails = z.looseObject({
  enabled: flag.optional(),
  bus_id: z.int().min(0).max(31).optional().catch(undefined),
  type: text.optional(),
  image_file: text.optional(),
  image_path: text.optional(),
})

export const drivesReply = z
  .looseObject({ drives: z.array(z.record(z.string(), driveDetails)) })
  .transform(({ drives }): Drive[] =>
    drives
      .flatMap((entry) => Object.entries(entry))
      .map(([name, { enabled, bus_id, type, image_file, image_path }]) => {
        const drive = driveName(name)
        return {
          drive,
          role: driveRoles[drive] ?? 'other',
          enabled: enabled ?? false,
          busId: bus_id ?? null,
          type: type?.slice(0, 40) ?? null,
          image: image_file === undefined || image_file === '' ? null : `${image_path ?? ''}${image_file}`,
        }
      }),
  )

function driveName(listed: string): string {
  const name = (driveNames[listed] ?? listed)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 20)
  return name === '' ? 'unnamed' : name
}

export const categoriesReply = z
  .looseObject({ categories: z.array(z.string().max(200)).max(200) })
  .transform(({ categories }) => categories)

const setting = z.union([z.string(), z.number()])
const detailedItem = z.looseObject({
  current: setting,
  values: z.array(z.string()).optional(),
  presets: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
})
type DetailedItem = z.infer<typeof detailedItem>
const itemReply = z.union([setting.transform((current): DetailedItem => ({ current })), detailedItem])

export const configurationReply = z.record(z.string(), z.unknown())

export function itemsOf(
  reply: z.infer<typeof configurationReply>,
  category: string,
): readonly ConfigurationItem[] | undefined {
  const found = Object.entries(reply).find(
    ([name]) => name !== 'errors' && name.toLowerCase() === category.toLowerCase(),
  )
  if (!found) return undefined
  const items = configurationReply.safeParse(found[1]).data ?? {}
  return Object.entries(items).flatMap(([item, value]) => {
    const parsed = itemReply.safeParse(value).data
    return parsed ? [describeItem(item, parsed)] : []
  })
}

function describeItem(item: string, { current, values, presets, min, max }: DetailedItem): ConfigurationItem {
  return {
    item: item.slice(0, 200),
    value: typeof current === 'string' ? current.slice(0, 1_000) : current,
    choices: values ?? presets ?? null,
    minimum: min ?? null,
    maximum: max ?? null,
  }
}

export interface FileInfo {
  readonly filename: string
  readonly size: number | null
}

export const fileReply = z.looseObject({
  files: z.looseObject({ filename: z.string().optional(), size: z.number().optional() }),
})
