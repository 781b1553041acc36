import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { dispatchAgents } from '../../../formats/maestro/schema'
import { readSettings, type DispatchSettings, type SettingTexts } from './dispatchSettings'
import { normalised, planPrompts, readPrompt, requireSize, type Prompt, type PromptEntry } from './prompts'

export interface BatchPlan {
  readonly prompts: readonly Prompt[]
  readonly settings: DispatchSettings
}

/**
 * @param folder absolute, with `prompts/`
 * @param extension Maestro's, which says which agents there are
 * @throws AppError INVALID, with the first fault
 */
export async function planBatch(folder: string, extension: string, texts: SettingTexts): Promise<BatchPlan> {
  const entries = await entriesOf(join(folder, 'prompts'))
  const prompts = planPrompts(entries, await knownAgents(extension), foldsCase)
  for (const { file } of prompts) {
    const path = join(folder, 'prompts', file)
    requireSize(file, (await lstat(path)).size)
    readPrompt(file, await readFile(path))
  }
  return { prompts, settings: readSettings(texts) }
}

const foldsCase = process.platform === 'darwin' || process.platform === 'win32'

async function entriesOf(folder: string): Promise<PromptEntry[]> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory())
    throw new AppError('INVALID', `Prompts directory not found: ${folder}`, { details: { usage: true } })
  return (await readdir(folder, { withFileTypes: true })).map((entry) => ({
    name: entry.name,
    kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other',
  }))
}

async function knownAgents(extension: string): Promise<readonly string[]> {
  const files = await readdir(join(extension, 'agents')).catch(() => undefined)
  if (!files) return dispatchAgents
  return files.filter((file) => file.endsWith('.md')).map((file) => normalised(file.slice(0, -'.md'.length)))
}
