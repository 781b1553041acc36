/** What a model answers: the next step by what it was asked and what its tools answered so far. */

export type Wire = 'anthropic' | 'openai' | 'gemini'

/** Tokens as the service counts them. `input` has those that came out of a cache. */
export interface Usage {
  readonly input: number
  readonly cached: number
  readonly output: number
}

interface ToolResult {
  readonly text: string
  /** How many pictures it has. */
  readonly images: number
}

export interface Asked {
  readonly wire: Wire
  readonly model: string
  /** All that the person's side said in it, joined. */
  readonly prompt: string
  /** That, and all that the program itself put before it. */
  readonly instructions: string
  readonly tools: readonly ToolName[]
  /** Of the tools that the model called, the oldest first. */
  readonly results: readonly ToolResult[]
}

export interface ToolName {
  readonly name: string
  /** Codex groups the tools of a server. */
  readonly namespace?: string
}

export type Step =
  | { readonly say: string }
  /** A command line, by the program's own tool. */
  | { readonly run: string }
  /** A file relative to the working folder, by the program's own tool. */
  | { readonly write: string; readonly text: string }
  /** A tool of a server of the Model Context Protocol, by the name that the server gives it. */
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> }

export type Script = (asked: Asked) => Step

/** Each step once the one before was answered; the last one again and again. */
export const inOrder =
  (stepsFor: (asked: Asked) => readonly Step[]): Script =>
  (asked) => {
    const steps = stepsFor(asked)
    return steps[Math.min(asked.results.length, steps.length - 1)] ?? { say: '' }
  }

/** A call as the program takes it. */
export interface ToolCall extends ToolName {
  readonly args: Readonly<Record<string, unknown>>
}

const shellTools: Readonly<Record<Wire, (command: string) => ToolCall>> = {
  anthropic: (command) => ({ name: 'Bash', args: { command } }),
  openai: (cmd) => ({ name: 'exec_command', args: { cmd } }),
  gemini: (command) => ({ name: 'run_shell_command', args: { command } }),
}

/** With many tools Claude Code gives a server's only once they are searched for. */
export const TOOL_SEARCH = 'ToolSearch'

/** @throws Error where the program was not given the tool */
export function toolCallOf(step: Exclude<Step, { say: string }>, { wire, tools }: Asked): ToolCall {
  const call = 'call' in step ? serverCall(step, tools) : 'run' in step ? shellTools[wire](step.run) : write(step, wire)
  if (call && tools.some(({ name, namespace }) => name === call.name && namespace === call.namespace)) return call
  throw new Error(
    `No tool for ${JSON.stringify(step)} among ${tools.map(({ name, namespace = '' }) => namespace + name).join(', ')}`,
  )
}

function write({ write: file, text }: { write: string; text: string }, wire: Wire): ToolCall {
  if (wire === 'anthropic') return { name: 'Write', args: { file_path: file, content: text } }
  if (wire === 'gemini') return { name: 'write_file', args: { file_path: file, content: text } }
  const encoded = Buffer.from(text).toString('base64')
  return shellTools.openai(`mkdir -p "$(dirname '${file}')" && echo ${encoded} | base64 -d > '${file}'`)
}

/** Servers' tools are called `mcp__SERVER__TOOL` or `mcp_SERVER_TOOL`, or by their own names in a namespace. */
function serverCall({ call, args }: { call: string; args: ToolCall['args'] }, tools: Asked['tools']): ToolCall | null {
  const found =
    tools.find(({ name, namespace }) => namespace !== undefined && name === call) ??
    tools.find(({ name }) => name.startsWith('mcp_') && name.endsWith(`_${call}`))
  if (found) return { ...found, args }
  const canSearch = tools.some(({ name }) => name === TOOL_SEARCH)
  return canSearch ? { name: TOOL_SEARCH, args: { query: `select:mcp__bridgedeck__${call}`, max_results: 5 } } : null
}
