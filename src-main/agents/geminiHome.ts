/**
 * A home of Gemini CLI's settings for one run: links to the person's own, with our server added. Gemini CLI reads
 * system defaults only from a file that root alone can write, and the project's settings belong to the project.
 */
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parse, type ParseError } from 'jsonc-parser'
import { z } from 'zod'

const FOLDER = '.gemini'
const SETTINGS = 'settings.json'
const NAME = 'bridgedeck'

const settingsSchema = z.looseObject({
  mcpServers: z.looseObject({}).optional(),
  mcp: z.looseObject({ allowed: z.array(z.string()).optional(), excluded: z.array(z.string()).optional() }).optional(),
})

export type GeminiHome = { readonly home: string } | 'has one' | { readonly refusal: string }

/** @param own the person's `GEMINI_CLI_HOME` */
export function makeGeminiHome(home: string, server: object, own: string = homedir()): GeminiHome {
  const theirs = join(own, FOLDER)
  const settings = readSettings(join(theirs, SETTINGS))
  if (settings === undefined)
    return { refusal: `${join(theirs, SETTINGS)} cannot be read as JSON. Mend it, and start the agent again.` }
  if (settings.mcpServers?.[NAME] !== undefined) return 'has one'
  if (settings.mcp?.excluded?.includes(NAME))
    return { refusal: `${join(theirs, SETTINGS)} excludes the server ${NAME} under mcp.excluded.` }
  try {
    const ours = join(home, FOLDER)
    mkdirSync(ours, { recursive: true, mode: 0o700 })
    for (const name of namesIn(theirs)) if (name !== SETTINGS) link(join(theirs, name), join(ours, name))
    writeFileSync(join(ours, SETTINGS), JSON.stringify(withServer(settings, server), null, 2), { mode: 0o600 })
    return { home }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return { refusal: `the files of ${theirs} cannot be linked into a folder of the run (${code}).` }
  }
}

type Settings = z.infer<typeof settingsSchema>

function readSettings(file: string): Settings | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? {} : undefined
  }
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors)
  return errors.length > 0 ? undefined : settingsSchema.safeParse(value).data
}

const withServer = (settings: Settings, server: object): Settings => ({
  ...settings,
  mcpServers: { ...settings.mcpServers, [NAME]: { ...server, trust: true } },
  ...(settings.mcp?.allowed ? { mcp: { ...settings.mcp, allowed: [...settings.mcp.allowed, NAME] } } : {}),
})

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Hard links on Windows, as symbolic links need a right there. */
function link(theirs: string, ours: string): void {
  if (process.platform !== 'win32') symlinkSync(theirs, ours)
  else if (statSync(theirs, { throwIfNoEntry: false })?.isDirectory()) symlinkSync(theirs, ours, 'junction')
  else if (lstatSync(theirs).isFile()) linkSync(theirs, ours)
}
