import { AppError } from '@shared/contract/errors'
import { agentName } from '../../../formats/maestro/batches'

export interface PromptEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

export interface Prompt {
  readonly file: string
  readonly name: string
  readonly agent: string
}

export const MAX_PROMPT_BYTES = 1_000_000
const MAX_PROMPTS = 1_000

const refuse = (message: string) => new AppError('INVALID', message)

export const normalised = (name: string): string => name.replaceAll('-', '_')

/**
 * In the order of dispatch.
 * @param agents normalised
 * @param foldsCase whether names that differ only in case are one file
 * @throws AppError INVALID
 */
export function planPrompts(
  entries: readonly PromptEntry[],
  agents: readonly string[],
  foldsCase: boolean,
): readonly Prompt[] {
  const shown = entries.filter(({ name }) => !name.startsWith('.')).sort(byCodeUnit)
  if (shown.length === 0) throw refuse('No prompt files found in prompts/')
  if (shown.length > MAX_PROMPTS) throw refuse(`More than ${MAX_PROMPTS} prompt files in prompts/`)
  for (const { name, kind } of shown)
    if (kind !== 'file') throw refuse(`prompts/${name} is ${notFiles[kind]}; prompts are regular files`)
  const prompts = shown.map(({ name: file }) => ({ file, name: agentName(file), agent: normalised(agentName(file)) }))
  for (const { file, name, agent } of prompts) {
    if (name === '') throw refuse(`prompts/${file} names no agent: its name has no letter, digit, _ or -`)
    if (!agents.includes(agent))
      throw refuse(`Unknown agent ${name} (prompts/${file}). Agents: ${[...agents].sort().join(', ')}`)
  }
  requireApart(prompts, foldsCase)
  return prompts
}

const notFiles = { folder: 'a folder', link: 'a symbolic link', other: 'no regular file' } as const

const byCodeUnit = (one: PromptEntry, other: PromptEntry): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0

function requireApart(prompts: readonly Prompt[], foldsCase: boolean): void {
  const files = new Map<string, string>()
  for (const { file, name } of prompts) {
    const key = foldsCase ? name.toLowerCase() : name
    const other = files.get(key)
    if (other !== undefined)
      throw refuse(`prompts/${other} and prompts/${file} have the same results: results/${name}.json`)
    files.set(key, file)
  }
}

/** @throws AppError INVALID */
export function requireSize(file: string, bytes: number): void {
  if (bytes > MAX_PROMPT_BYTES)
    throw refuse(`prompts/${file} has ${bytes} bytes; a prompt has at most ${MAX_PROMPT_BYTES}`)
}

/** @throws AppError INVALID */
export function readPrompt(file: string, content: Uint8Array): string {
  requireSize(file, content.length)
  const text = decode(file, content)
  if (text.trim() === '') throw refuse(`prompts/${file} is empty`)
  return text
}

function decode(file: string, content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    throw refuse(`prompts/${file} is not UTF-8`)
  }
}

export const payload = (root: string, prompt: string): string =>
  [
    `PROJECT ROOT: ${root}`,
    'Work in this folder only. Paths in this task are relative to it.',
    'Give file tools absolute paths below it, and run shell commands in it.',
    '',
    prompt,
  ].join('\n')
