import { Facts } from '../text/facts'
import type { Finding } from '../finding'
import type { RunFiles } from '../format'
import { nameOf, within } from '../listing'
import { field, itemsOf, LocatedDocument, textOf } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import type { Fact } from '@shared/contract/orchestration'
import { unknown } from '../run'
import { StateText } from '../text/stateFile'
import type { Batch, BatchAgent } from './details'
import { readTokens } from './tokens'

/** Exit code that the dispatcher writes for an agent that took too long. */
const TIMED_OUT = 124

export interface BatchFiles extends Batch {
  readonly summary: LocatedDocument | undefined
  readonly findings: readonly Finding[]
}

export function readBatches(run: RunFiles, stateDir: string): BatchFiles[] {
  const folder = within(stateDir, 'parallel')
  const ids = new Set(
    run.listing.below(folder).flatMap((file) => {
      const [id = '', part] = file.slice(folder.length + 1).split('/')
      return part === 'prompts' || part === 'results' ? [id] : []
    }),
  )
  return [...ids].map((id) => readBatch(run, id, within(folder, id)))
}

/** As the dispatcher names the files; prompts of different names can share one. */
export const agentName = (prompt: string): string => prompt.replace(/(?<=.)\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]/g, '')

function readBatch(run: RunFiles, id: string, folder: string): BatchFiles {
  const prompts = run.listing.in(`${folder}/prompts`).filter((file) => !nameOf(file).startsWith('.'))
  const results = run.listing.in(`${folder}/results`)
  const summary = openJson(run, `${folder}/results/summary.json`)
  const facts = summary && new Facts(summary)
  const root = summary?.root
  const summarised = itemsOf(field(root, 'agents'))
  const names = new Set([
    ...prompts.map((file) => agentName(nameOf(file))),
    ...results.flatMap((file) =>
      /\.(?:json|log|exit)$/.test(file) && nameOf(file) !== 'summary.json'
        ? [nameOf(file).replace(/\.[^.]+$/, '')]
        : [],
    ),
    ...summarised.flatMap((node) => textOf(field(node, 'name')) ?? []),
  ])
  names.delete('')
  return {
    id,
    folder,
    status: facts?.text(root, 'batch_status') ?? unknown(),
    total: facts?.number(root, 'total_agents') ?? unknown(),
    succeeded: facts?.number(root, 'succeeded') ?? unknown(),
    failed: facts?.number(root, 'failed') ?? unknown(),
    seconds: facts?.number(root, 'wall_time_seconds') ?? unknown(),
    agents: [...names].map((name) => {
      const told = summarised.find((node) => textOf(field(node, 'name')) === name)
      const prompt = prompts.find((file) => agentName(nameOf(file)) === name) ?? null
      return readAgent(
        run,
        `${folder}/results/${name}`,
        name,
        prompt,
        facts?.text(told, 'status') ?? unknown(),
        facts?.number(told, 'exit_code') ?? unknown(),
      )
    }),
    summary,
    findings: summary ? [...summary.findings, ...(run.files.get(summary.file)?.findings ?? [])] : [],
  }
}

function readAgent(
  run: RunFiles,
  base: string,
  name: string,
  prompt: string | null,
  status: Fact<string>,
  summarised: Fact<number>,
): BatchAgent {
  const there = (path: string): string | null => (run.listing.hasFile(path) ? path : null)
  const output = there(`${base}.json`)
  const written = exitCodeOf(run, `${base}.exit`)
  const exitCode = written.value === null && written.source === null ? summarised : written
  return {
    name,
    state: agentState(exitCode, output !== null),
    exitCode,
    status,
    prompt,
    output,
    log: there(`${base}.log`),
    tokens: readTokens(new StateText(`${base}.json`, run.files.get(`${base}.json`)?.text ?? '')),
  }
}

/** Digits, with a line end in files of version 1.1. */
function exitCodeOf({ files }: RunFiles, path: string): Fact<number> {
  const text = files.get(path)?.text
  if (text === undefined || text === null) return unknown()
  const source = { file: path, line: 1 }
  return /^\s*\d{1,9}\s*$/.test(text) ? { value: Number(text), source } : unknown(source, text.slice(0, 40))
}

function agentState({ value, source }: Fact<number>, hasOutput: boolean): BatchAgent['state'] {
  if (value === null) return source ? 'unknown' : hasOutput ? 'started' : 'waiting'
  return value === 0 ? 'success' : value === TIMED_OUT ? 'timeout' : 'failed'
}

function openJson({ files }: RunFiles, path: string): LocatedDocument | undefined {
  const file = files.get(path)
  if (!file) return undefined
  const text = new StateText(path, file.text ?? '')
  return file.text === null ? new LocatedDocument(text, undefined, []) : parseLocatedJson(text)
}
