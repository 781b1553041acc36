export const presetNames = ['claude', 'gemini', 'codex', 'opencode', 'custom'] as const
export type PresetName = (typeof presetNames)[number]

interface Preset {
  readonly title: string
  readonly command: string
  readonly fixed: readonly string[]
  /** Instead of `fixed`, to print one JSON object at the end; absent where there is no such option. */
  readonly fixedForObject?: readonly string[]
  readonly options: { readonly model: string | null; readonly turns: string | null; readonly cost: string | null }
  readonly last: readonly string[]
  readonly suggested: { readonly args: readonly string[]; readonly environment: readonly string[] }
  readonly note: string
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  claude: {
    title: 'Claude Code',
    command: 'claude',
    // `--print` gives events instead of one object at the end only with `--verbose`.
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

export interface AgentCommand {
  readonly preset: PresetName
  readonly command: string
  readonly model: string | null
  readonly args: readonly string[]
  readonly maxTurns: number | null
  readonly maxCost: number | null
}

/** @param printsOneObject one object at the end instead of events, where the preset can do that */
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

/**
 * The command line for a person to read: words quoted as for a POSIX shell, and nothing that a terminal would act on.
 */
export const commandText = (agent: AgentCommand): string => wordsText([agent.command, ...argumentsOf(agent)])

export const wordsText = (words: readonly string[]): string => words.map(quoted).join(' ')

function quoted(word: string): string {
  const visible = word.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (control) => `\\u{${(control.codePointAt(0) ?? 0).toString(16)}}`,
  )
  return /^[\w@%+=:,./-]+$/.test(visible) ? visible : `'${visible.replaceAll("'", String.raw`'\''`)}'`
}
