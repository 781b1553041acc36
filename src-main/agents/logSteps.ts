import { z } from 'zod'
import type { PresetName } from '@shared/agentPresets'
import { MAX_STEP_TITLE_CHARACTERS, type LogStep } from '@shared/contract/agents'
import { LineSplitter } from './lineSplitter'
import { inertText, LogFile } from './logFile'

export interface FoundStep extends Omit<LogStep, 'at'> {
  /** Offset in bytes. */
  readonly start: number
}

interface EventPart {
  readonly kind: LogStep['kind']
  readonly title: string
  readonly hasFailed: boolean
  readonly call?: string | undefined
  readonly isPiece?: boolean
}

/** In a log with more, the last step has all the rest. */
const MAX_STEPS = 10_000
const CHUNK_BYTES = 1024 * 1024
const MAX_OPEN_CALLS = 200

export class LogSteps {
  readonly #log: LogFile
  readonly #partsOf: (event: unknown) => EventPart[]
  readonly #splitter = new LineSplitter((line, start) => this.#add(line, start))
  readonly #steps: Writable<FoundStep>[] = []
  readonly #calls = new Map<string, string>()
  #openCall: string | undefined
  #isPrinting = false
  #isPieces = false
  #lines = 0
  #sawEvent = false
  #queue: Promise<void> = Promise.resolve()

  constructor(path: string, preset: PresetName) {
    this.#log = new LogFile(path)
    this.#partsOf = readers[preset]
  }

  /**
   * @param most upper limit in bytes for this call
   * @param isWhole nothing more will be printed
   */
  load(most: number, isWhole: boolean): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      for (let left = most; left > 0; left -= CHUNK_BYTES) {
        const chunk = Math.min(left, CHUNK_BYTES)
        if (!(await this.#log.catchUp(chunk, (bytes) => this.#splitter.add(bytes)))) continue
        if (isWhole) this.#splitter.end()
        return
      }
    })
    return this.#queue
  }

  get steps(): readonly FoundStep[] {
    return this.#sawEvent ? this.#steps : []
  }

  get lines(): number {
    return this.#lines
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #add(text: string, start: number): void {
    const line = this.#lines++
    const event = parse(text)
    if (event === undefined) {
      this.#addText(text, line, start)
      return
    }
    this.#sawEvent = true
    const parts = (Array.isArray(event) ? event : [event]).flatMap((one) => this.#partsOf(one))
    for (const part of parts) this.#addPart(part, line, start)
    if (this.#steps.length === 0)
      this.#begin({ line, start, kind: 'run', title: 'Started', hasFailed: false }, undefined)
  }

  #addText(text: string, line: number, start: number): void {
    const last = this.#steps.at(-1)
    if (last && (this.#isPrinting || text.trim() === '' || text.startsWith('{'))) {
      if (last.title === '') last.title = cut(text)
      return
    }
    this.#begin({ line, start, kind: 'text', title: cut(text), hasFailed: false }, undefined)
    this.#isPrinting = true
  }

  #addPart({ kind, title, hasFailed, call, isPiece = false }: EventPart, line: number, start: number): void {
    const last = this.#steps.at(-1)
    const goesOn = last && ((call !== undefined && call === this.#openCall) || (isPiece && this.#isPieces))
    if (goesOn || (last?.line === line && last.start === start)) {
      last.hasFailed ||= hasFailed
      if (isPiece && goesOn) last.title = cut(last.title + title)
      else if (!goesOn && title !== '') last.title = cut(last.title === '' ? title : `${last.title} · ${title}`)
      if (!goesOn) this.#openCall = call
      return
    }
    const known = call === undefined ? undefined : this.#calls.get(call)
    const words = title || (known === undefined ? 'Result' : `Result of ${known}`)
    this.#begin({ line, start, kind, title: cut(words), hasFailed }, call)
    this.#isPieces = isPiece
  }

  #begin(step: FoundStep, call: string | undefined): void {
    if (this.#steps.length >= MAX_STEPS) return
    this.#steps.push(step)
    this.#openCall = call
    this.#isPrinting = false
    this.#isPieces = false
    if (call === undefined) return
    this.#calls.set(call, step.title)
    if (this.#calls.size > MAX_OPEN_CALLS) this.#calls.delete(this.#calls.keys().next().value ?? '')
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

const cut = (text: string): string =>
  inertText(text.slice(0, 4 * MAX_STEP_TITLE_CHARACTERS))
    .replace(/\s+/g, ' ')
    .trimStart()
    .slice(0, MAX_STEP_TITLE_CHARACTERS)

function parse(line: string): object | undefined {
  if (!/^\s*[[{]/.test(line)) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const TELLING = ['command', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description', 'prompt']

function callTitle(tool: string | undefined, input: unknown): string {
  const name = tool ?? 'Tool'
  const values = z.record(z.string(), z.unknown()).safeParse(input).data ?? {}
  const told = TELLING.map((key) => values[key]).find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  )
  const words = told ?? (Object.keys(values).length === 0 ? '' : JSON.stringify(values))
  return words === '' ? name : `${name}: ${words}`
}

const text = z.string().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const number = z.number().nullish().catch(undefined)

const message = (words: string): EventPart[] =>
  words.trim() === '' ? [] : [{ kind: 'message', title: words, hasFailed: false }]
const begun = (model: string | undefined): EventPart => ({
  kind: 'run',
  title: model === undefined ? 'Started' : `Started: ${model}`,
  hasFailed: false,
})
const failed = (words: string | undefined): EventPart => ({
  kind: 'run',
  title: words?.trim() ? `Failed: ${words}` : 'Failed',
  hasFailed: true,
})
const done: EventPart = { kind: 'run', title: 'Finished', hasFailed: false }

const errorWords = z
  .union([
    z.string(),
    z.looseObject({ message: z.string() }).transform((error) => error.message),
    z.looseObject({ data: z.looseObject({ message: z.string() }) }).transform(({ data }) => data.message),
  ])
  .optional()
  .catch(undefined)

const claudeSchema = z.looseObject({
  type: text,
  subtype: text,
  model: text,
  is_error: flag,
  result: text,
  message: z
    .looseObject({
      content: z
        .array(
          z.looseObject({
            type: text,
            text,
            thinking: text,
            id: text,
            name: text,
            input: z.unknown().optional(),
            tool_use_id: text,
            is_error: flag,
          }),
        )
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

function claude(raw: unknown): EventPart[] {
  const event = claudeSchema.safeParse(raw).data
  if (event?.type === 'system' && event.subtype === 'init') return [begun(event.model)]
  if (event?.type === 'result')
    return event.is_error === true || event.subtype?.startsWith('error') === true
      ? [failed(event.result ?? event.subtype?.replaceAll('_', ' '))]
      : [done]
  return (event?.message?.content ?? []).flatMap((part): EventPart[] => {
    switch (part.type) {
      case 'text':
        return event?.type === 'assistant' ? message(part.text ?? '') : []
      case 'thinking':
        return message(part.thinking ?? '')
      case 'tool_use':
        return [{ kind: 'tool', title: callTitle(part.name, part.input), hasFailed: false, call: part.id }]
      case 'tool_result':
        return [{ kind: 'tool', title: '', hasFailed: part.is_error === true, call: part.tool_use_id }]
      default:
        return []
    }
  })
}

const geminiSchema = z.looseObject({
  type: text,
  role: text,
  content: text,
  delta: flag,
  status: text,
  message: text,
  severity: text,
  model: text,
  tool_name: text,
  tool_id: text,
  parameters: z.unknown().optional(),
  error: errorWords,
})

function gemini(raw: unknown): EventPart[] {
  const event = geminiSchema.safeParse(raw).data
  switch (event?.type) {
    case 'init':
      return [begun(event.model)]
    case 'message':
      if (event.role !== 'assistant') return []
      return event.delta === true
        ? [{ kind: 'message', title: event.content ?? '', hasFailed: false, isPiece: true }]
        : message(event.content ?? '')
    case 'tool_use':
      return [
        { kind: 'tool', title: callTitle(event.tool_name, event.parameters), hasFailed: false, call: event.tool_id },
      ]
    case 'tool_result':
      return [{ kind: 'tool', title: '', hasFailed: event.status === 'error', call: event.tool_id }]
    case 'error':
      return event.severity === 'warning' ? [] : [failed(event.message ?? event.error)]
    case 'result':
      return event.status === 'error' ? [failed(event.error)] : [done]
    default:
      return []
  }
}

const codexSchema = z.looseObject({
  type: text,
  message: text,
  error: errorWords,
  item: z
    .looseObject({
      id: text,
      type: text,
      item_type: text,
      text,
      command: text,
      exit_code: number,
      status: text,
      message: text,
      server: text,
      tool: text,
      query: text,
      arguments: z.unknown().optional(),
      changes: z
        .array(z.looseObject({ path: text }))
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})

function codex(raw: unknown): EventPart[] {
  const event = codexSchema.safeParse(raw).data
  switch (event?.type) {
    case 'thread.started':
      return [begun(undefined)]
    case 'turn.completed':
      return [done]
    case 'turn.failed':
    case 'error':
      return [failed(event.error ?? event.message)]
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return event.item ? codexItem(event.item) : []
    default:
      return []
  }
}

function codexItem(item: NonNullable<z.infer<typeof codexSchema>['item']>): EventPart[] {
  const call = (title: string): EventPart[] => [
    {
      kind: 'tool',
      title,
      call: item.id,
      hasFailed: item.status === 'failed' || (typeof item.exit_code === 'number' && item.exit_code !== 0),
    },
  ]
  switch (item.type ?? item.item_type) {
    case 'agent_message':
    case 'assistant_message':
    case 'reasoning':
      return message(item.text ?? '')
    case 'command_execution':
      return call(`Command: ${item.command ?? ''}`)
    case 'file_change':
      return call(`Edit: ${(item.changes ?? []).flatMap(({ path }) => path ?? []).join(', ')}`)
    case 'mcp_tool_call':
      return call(callTitle([item.server, item.tool].filter(Boolean).join('.'), item.arguments))
    case 'web_search':
      return call(`Search: ${item.query ?? ''}`)
    case 'todo_list':
      return call('Plan')
    case 'error':
      return [{ ...failed(item.message), kind: 'message' }]
    default:
      return []
  }
}

const opencodeSchema = z.looseObject({
  type: text,
  error: errorWords,
  part: z
    .looseObject({
      text,
      tool: text,
      callID: text,
      state: z.looseObject({ status: text, title: text, input: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})

function opencode(raw: unknown): EventPart[] {
  const event = opencodeSchema.safeParse(raw).data
  switch (event?.type) {
    case 'text':
      return message(event.part?.text ?? '')
    case 'tool_use': {
      const { tool, callID, state } = event.part ?? {}
      return [
        { kind: 'tool', title: callTitle(tool, state?.input), hasFailed: state?.status === 'error', call: callID },
      ]
    }
    case 'error':
      return [failed(event.error)]
    default:
      return []
  }
}

const readers: Readonly<Record<PresetName, (event: unknown) => EventPart[]>> = {
  claude,
  gemini,
  codex,
  opencode,
  custom: () => [],
}
