import { mkdir, realpath } from 'node:fs/promises'
import { requireShowable } from '../../projects/showableFolder'
import { newFiles, type Initialised } from '../newFiles'

export interface InitOptions {
  readonly folder: string
  readonly name: string
  readonly idea: string
}

export async function initSession({ folder, name, idea }: InitOptions): Promise<Initialised> {
  requireShowable(folder)
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  const files = newFiles(root)
  await files.create('.meta/context.md', contextText(name, idea))
  return { folder: root, created: files.created, kept: files.kept }
}

const contextText = (name: string, idea: string): string =>
  `# Project: ${name}\n\n## Vision\n\n${idea.trim()}\n\n## Current Phase Focus\n\nPhase 1: ${firstLine(idea)}\n`

const firstLine = (idea: string): string => (idea.trim().split('\n')[0] ?? '').replace(/^#+\s*/, '').trim()
