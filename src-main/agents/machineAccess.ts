import { writeFileSync } from 'node:fs'
import { wordsText, type PresetName } from '@shared/agentPresets'
import { machineRightsOf, type Agent } from '@shared/contract/agents'
import type { GrantableRight } from '@shared/contract/steering'
import { makeGeminiHome } from './geminiHome'
import type { WorkAccess } from './workAccess'

interface ServerStart {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export type StartServer = (options: readonly string[]) => ServerStart

export interface MachineAccess extends WorkAccess {
  readonly refusal?: string
}

export const noAccess: MachineAccess = { args: [], environment: {} }

const grants: Readonly<Record<ReturnType<typeof machineRightsOf>, readonly GrantableRight[] | null>> = {
  none: null,
  look: [],
  change: ['change', 'files'],
  power: ['change', 'files', 'power', 'connect'],
}

interface Run {
  readonly title: string
  readonly folder: string
  readonly file: string
  readonly home: string
}

/** Any agent finds the command as `BRIDGEDECK_MCP`, quoted for a POSIX shell. */
export function giveMachines(agent: Agent, { title, folder, file, home }: Run, start: StartServer): MachineAccess {
  const granted = grants[machineRightsOf(agent)]
  if (granted === null) return noAccess
  const allowed = granted.flatMap((right) => ['--allow', right])
  const server = start([...allowed, '--folder', folder, '--name', nameOf(title)])
  const { content, environment, ...given } = programs[agent.preset](server, { agent, file, home })
  if (content) writeFileSync(file, JSON.stringify(content), { mode: 0o600 })
  const { command, env } = server
  return { ...given, environment: { ...env, ...environment, BRIDGEDECK_MCP: wordsText([command, ...server.args]) } }
}

const nameOf = (title: string): string =>
  title
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 60)
    .trim() || 'agent'

interface Given extends MachineAccess {
  readonly content?: object
}

/** The same option or variable passed by the person takes precedence. */
const programs: Readonly<
  Record<PresetName, (server: ServerStart, run: Pick<Run, 'file' | 'home'> & { readonly agent: Agent }) => Given>
> = {
  // https://code.claude.com/docs/en/cli-reference
  claude: (server, { agent, file }) => ({
    args: [
      ...(agent.args.includes('--settings')
        ? []
        : ['--settings', JSON.stringify({ permissions: { allow: ['mcp__bridgedeck'] } })]),
      '--mcp-config',
      file,
    ],
    environment: {},
    content: { mcpServers: { bridgedeck: { type: 'stdio', ...server } } },
  }),
  // https://geminicli.com/docs/reference/configuration
  gemini: (server, { agent, home }) => {
    const own = agent.environment.includes(GEMINI_HOME) ? process.env[GEMINI_HOME] : undefined
    const made = makeGeminiHome(home, server, own || undefined)
    if (made === 'has one') return noAccess
    return 'refusal' in made ? { ...noAccess, ...made } : { args: [], environment: { [GEMINI_HOME]: made.home } }
  },
  // https://developers.openai.com/codex/config-reference: values are TOML; texts and lists are the same in JSON.
  codex: ({ command, args, env }) => ({
    args: [
      ['command', JSON.stringify(command)],
      ['args', JSON.stringify(args)],
      [
        'env',
        `{${Object.entries(env)
          .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
          .join(', ')}}`,
      ],
      // Nobody can be asked: without this each call is cancelled.
      ['default_tools_approval_mode', '"approve"'],
    ].flatMap(([key, value]) => ['-c', `mcp_servers.bridgedeck.${key}=${value}`]),
    environment: {},
  }),
  // https://opencode.ai/docs/config
  opencode: ({ command, args, env }, { agent }) =>
    agent.environment.includes(OPENCODE_CONTENT)
      ? noAccess
      : {
          args: [],
          environment: {
            [OPENCODE_CONTENT]: JSON.stringify({
              mcp: { bridgedeck: { type: 'local', command: [command, ...args], environment: env, enabled: true } },
            }),
          },
        },
  custom: () => noAccess,
}

const GEMINI_HOME = 'GEMINI_CLI_HOME'
const OPENCODE_CONTENT = 'OPENCODE_CONFIG_CONTENT'
