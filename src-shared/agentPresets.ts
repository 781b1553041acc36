/** The command lines of agents that Bridgedeck knows: how each is started without a terminal and told to print JSON. */

export const presetNames = ['claude', 'gemini', 'codex', 'opencode', 'custom'] as const
export type PresetName = (typeof presetNames)[number]

interface Preset {
  readonly title: string
  /** What it is called on the PATH; empty where the person names it. */
  readonly command: string
  /** In front of everything else. */
  readonly fixed: readonly string[]
  /** Instead of `fixed`, for one JSON object at the end; absent where it has none. */
  readonly fixedForObject?: readonly string[]
  /** The options that take the model and the limits; null where it has none. */
  readonly options: { readonly model: string | null; readonly turns: string | null; readonly cost: string | null }
  /** After everything else. */
  readonly last: readonly string[]
  /** What a new agent starts with, for the person to change: what it may do without asking, and the variables it takes its keys from. */
  readonly suggested: { readonly args: readonly string[]; readonly environment: readonly string[] }
  /** What it tells while it runs, and so can be held to. */
  readonly note: string
}

/** All of them read the prompt from standard input. */
export const presets: Readonly<Record<PresetName, Preset>> = {
  claude: {
    title: 'Claude Code',
    command: 'claude',
    // Events instead of one object at the end, which `--print` gives only with `--verbose`.
    fixed: ['-p', '--output-format', 'stream-json', '--verbose'],
    fixedForObject: ['-p', '--output-format', 'json'],
    options: { model: '--model', turns: '--max-turns', cost: '--max-budget-usd' },
    last: [],
    suggested: {
      args: ['--allowedTools', 'Edit,Write,Bash,Read,Glob,Grep'],
      environment: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR'],
    },
    note: 'Reports turns and tokens while it runs, and its cost at the end. It enforces the cost limit itself.',
  },
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    fixed: ['--output-format', 'stream-json'],
    fixedForObject: ['--output-format', 'json'],
    options: { model: '-m', turns: null, cost: null },
    last: [],
    suggested: {
      args: ['--approval-mode=yolo'],
      environment: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT'],
    },
    note: 'Reports tokens at the end, but no turns or cost: only the time limit applies.',
  },
  codex: {
    title: 'Codex CLI',
    command: 'codex',
    fixed: ['exec', '--json'],
    options: { model: '-m', turns: null, cost: null },
    // The prompt comes on standard input.
    last: ['-'],
    suggested: { args: ['--sandbox', 'workspace-write'], environment: ['OPENAI_API_KEY', 'CODEX_HOME'] },
    note: 'Reports tokens at the end, but no turns or cost: only the time limit applies.',
  },
  opencode: {
    title: 'OpenCode',
    command: 'opencode',
    fixed: ['run', '--format', 'json'],
    options: { model: '--model', turns: null, cost: null },
    last: [],
    suggested: { args: [], environment: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_CONFIG'] },
    note: 'Reports turns, tokens and cost while it runs. It enforces no limit itself.',
  },
  custom: {
    title: 'Another program',
    command: '',
    fixed: [],
    options: { model: null, turns: null, cost: null },
    last: [],
    suggested: { args: [], environment: [] },
    note: 'Its answer is the last 256 KiB of its output. It reports no tokens, turns or cost: only the time limit applies.',
  },
}

/** What of an agent makes up its command line. */
export interface AgentCommand {
  readonly preset: PresetName
  readonly command: string
  readonly model: string | null
  readonly args: readonly string[]
  readonly maxTurns: number | null
  readonly maxCost: number | null
}

/** The program's arguments, in order. @param printsOneObject instead of events, where the preset can */
export function argumentsOf(
  { preset, model, args, maxTurns, maxCost }: Omit<AgentCommand, 'command'>,
  printsOneObject = false,
): string[] {
  const { fixed, fixedForObject = fixed, options, last } = presets[preset]
  const given = (option: string | null, value: string | number | null): string[] =>
    option === null || value === null ? [] : [option, String(value)]
  return [
    ...(printsOneObject ? fixedForObject : fixed),
    ...given(options.model, model),
    ...given(options.turns, maxTurns),
    ...given(options.cost, maxCost),
    ...args,
    ...last,
  ]
}

/** The command line as a person reads it: each word as a POSIX shell would take it, and nothing in it that a screen obeys. */
export const commandText = (agent: AgentCommand): string => wordsText([agent.command, ...argumentsOf(agent)])

export const wordsText = (words: readonly string[]): string => words.map(quoted).join(' ')

function quoted(word: string): string {
  const visible = word.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (control) => `\\u{${(control.codePointAt(0) ?? 0).toString(16)}}`,
  )
  return /^[\w@%+=:,./-]+$/.test(visible) ? visible : `'${visible.replaceAll("'", String.raw`'\''`)}'`
}
