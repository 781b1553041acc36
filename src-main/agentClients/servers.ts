import { isDeepStrictEqual } from 'node:util'
import type { ClientFile } from './clientFiles'
import { jsonText } from './jsonText'
import { isTable, refusal, type Table } from './configText'
import type { ServerEntry } from './serverEntry'
import { tomlText } from './tomlText'

const SERVER_NAME = 'bridgedeck'

/**
 * @param before null where there is no such file
 * @param server null to remove ours
 * @throws AppError INVALID for a file that is broken or not as the client writes it; it is left alone
 */
export function withServer(
  { format, section, hasType }: Pick<ClientFile, 'format' | 'section' | 'hasType'>,
  before: string | null,
  server: ServerEntry | null,
  file: string,
): string | null {
  const config = format === 'toml' ? tomlText : jsonText({ hasComments: format === 'jsonWithComments' })
  const text = before ?? ''
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(mark.length)
  const found = requireTable(body.trim() === '' ? {} : config.parse(body, file), file, 'it is no table of settings')
  const servers = found[section] === undefined ? {} : requireTable(found[section], file, `“${section}” is no table`)
  const known = Object.hasOwn(servers, SERVER_NAME) ? servers[SERVER_NAME] : undefined
  const old = known === undefined ? null : requireTable(known, file, `“${section}.${SERVER_NAME}” is no table`)
  const wanted = server && ownTable(old, server, hasType)
  if (isDeepStrictEqual(plain(old), plain(wanted))) return before
  const after = config.edit(body, [section, SERVER_NAME], old, wanted)
  const made = requireTable(config.parse(after, file), file, 'it cannot be edited')
  const expected = { ...found, [section]: { ...servers, [SERVER_NAME]: wanted } }
  if (!isDeepStrictEqual(plain(withoutEmpty(made, section)), plain(withoutEmpty(expected, section))))
    throw refusal(file, `“${section}.${SERVER_NAME}” is written in a way that cannot be edited safely`)
  return mark + after
}

function ownTable(old: Table | null, { command, args, env }: ServerEntry, hasType: boolean): Table {
  const kept = typeof old?.['command'] === 'string' ? old : {}
  const { BRIDGEDECK_DATA: _, ELECTRON_RUN_AS_NODE: __, ...others } = isTable(kept['env']) ? kept['env'] : {}
  const variables = { ...others, ...env }
  const { env: ___, ...rest } = kept
  return {
    ...(hasType ? { type: 'stdio' } : {}),
    ...rest,
    command,
    args: [...args],
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
  }
}

function withoutEmpty(root: Table, section: string): Table {
  const { [section]: servers, ...rest } = root
  const left = isTable(servers) ? Object.fromEntries(Object.entries(servers).filter(([, one]) => one !== null)) : {}
  return Object.keys(left).length === 0 ? rest : { ...rest, [section]: left }
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return isTable(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)])) : value
}

function requireTable(value: unknown, file: string, why: string): Table {
  if (isTable(value)) return value
  throw refusal(file, why)
}
