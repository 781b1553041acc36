import { z } from 'zod'
import { describeIssues } from '@shared/contract/describeIssues'
import { AppError } from '@shared/contract/errors'
import type { ConfigurationItem } from '@shared/contract/machineStorage'
import { parseJson } from '@shared/json'
import { readBounded } from '../../../files/readBounded'
import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { text, texts, type FilePath } from '../../parameters'
import type { Session } from '../../session'

export const configGroup: CommandGroup = {
  name: 'config',
  aliases: ['configuration'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'The configuration of an Ultimate',
  details: 'What is set holds until the machine is switched off, unless it is kept with config flash save.',
}

export const oneCategory = text('CATEGORY', 'The category, as config list names it.')
export const someCategories = texts('CATEGORY', 'Only these categories, as config list names them.')

const MAX_FILE_BYTES = 1_000_000
const valuesSchema = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))
const fileSchema = z.object({ configuration: valuesSchema })
export type ConfigurationValues = z.infer<typeof valuesSchema>

/** Secrets are not shown, and not kept in files. */
export const isSecret = ({ item }: Pick<ConfigurationItem, 'item'>): boolean => /passw|secret/i.test(item)
export const HIDDEN = '(not shown)'

export async function readConfiguration(
  { client }: Session,
  machine: string,
  wanted: readonly string[],
  { signal, onCategory }: { signal: AbortSignal; onCategory: (share: number, name: string) => void },
): Promise<ConfigurationValues> {
  const all =
    wanted.length > 0 ? wanted : (await client.call('machine.configurationCategories', { machine }, signal)).categories
  const values: ConfigurationValues = {}
  for (const [index, category] of all.entries()) {
    onCategory(index / all.length, category)
    const { items } = await client.call('machine.configuration', { machine, category }, signal)
    values[category] = Object.fromEntries(
      items.filter((each) => !isSecret(each)).map(({ item, value }) => [item, value]),
    )
  }
  return values
}

/** @throws AppError INVALID for a file without a configuration */
export async function configurationIn({ path, written }: FilePath): Promise<ConfigurationValues> {
  const content = new TextDecoder().decode(await readBounded(path, MAX_FILE_BYTES))
  const { data, error } = fileSchema.safeParse(parseJson(content, written))
  if (data === undefined)
    throw new AppError('INVALID', `${written} is no saved configuration: ${describeIssues(error.issues)}.`, {
      hint: 'Make one with “bridgedeck config save FILE”.',
    })
  return data.configuration
}

export interface Difference {
  readonly category: string
  readonly item: string
  readonly now: string | number | null
  readonly saved: string | number
}

export const differencesOf = (saved: ConfigurationValues, now: ConfigurationValues): Difference[] =>
  Object.entries(saved).flatMap(([category, items]) =>
    Object.entries(items).flatMap(([item, value]) => {
      const present = now[category]?.[item] ?? null
      return String(present) === String(value) || isSecret({ item })
        ? []
        : [{ category, item, now: present, saved: value }]
    }),
  )

export const differenceRow = ({ category, item, now, saved }: Difference): string[] => [
  `${category} / ${item}`,
  String(now ?? 'none'),
  '→',
  String(saved),
]
