/** How an agent that Bridgedeck starts gets our server, by itself and for this run alone: each program in the way that it documents. */
import { existsSync, writeFileSync } from 'node:fs'
import { wordsText, type PresetName } from '@shared/agentPresets'
import { machineRightsOf, type Agent } from '@shared/contract/agents'
import type { GrantableRight } from '@shared/contract/steering'

export interface ServerStart {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** @param options of `bridgedeck mcp` */
export type StartServer = (options: readonly string[]) => ServerStart

export interface MachineAccess {
  /** After the agent's own. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export const noAccess: MachineAccess = { args: [], environment: {} }

/** Files are those of the folder that it works in, which it changes anyway. */
const grants: Readonly<Record<ReturnType<typeof machineRightsOf>, readonly GrantableRight[] | null>> = {
  none: null,
  look: [],
  change: ['change', 'files'],
  power: ['change', 'files', 'power', 'connect'],
}

interface Run {
  /** What the person reads of it: who does what. */
  readonly title: string
  /** Where the agent works. */
  readonly folder: string
  /** For its program's configuration, in the folder of the run. */
  readonly file: string
}

/** Any agent finds the command as `BRIDGEDECK_MCP`, in words of a POSIX shell. Writes the file where its program takes one. */
export function giveMachines(agent: Agent, { title, folder, file }: Run, start: StartServer): MachineAccess {
  const granted = grants[machineRightsOf(agent)]
  if (granted === null) return noAccess
  const allowed = granted.flatMap((right) => ['--allow', right])
  const server = start([...allowed, '--folder', folder, '--name', nameOf(title)])
  const { args, environment, content } = programs[agent.preset](server, { agent, file })
  if (content) writeFileSync(file, JSON.stringify(content), { mode: 0o600 })
  const { command, env } = server
  return { args, environment: { ...env, ...environment, BRIDGEDECK_MCP: wordsText([command, ...server.args]) } }
}

/** As a server of agents takes it. */
const nameOf = (title: string): string =>
  title
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 60)
    .trim() || 'agent'

interface Given extends MachineAccess {
  /** Of the file. */
  readonly content?: object
}

/** A person who passes the same option or variable decides. */
const programs: Readonly<
  Record<PresetName, (server: ServerStart, run: { readonly agent: Agent; readonly file: string }) => Given>
> = {
  // https://code.claude.com/docs/en/cli-reference
  claude: (server, { agent, file }) => ({
    args: [
      ...(agent.args.includes('--settings')
        ? []
        : ['--settings', JSON.stringify({ permissions: { allow: ['mcp__bridgedeck'] } })]),
      ...['--mcp-config', file],
    ],
    environment: {},
    content: { mcpServers: { bridgedeck: { type: 'stdio', ...server } } },
  }),
  // https://geminicli.com/docs/reference/configuration: merged with the person's own settings, which count before it.
  gemini: (server, { agent, file }) =>
    agent.environment.includes(GEMINI_DEFAULTS) || existsSync('/etc/gemini-cli/system-defaults.json')
      ? noAccess
      : {
          args: [],
          environment: { [GEMINI_DEFAULTS]: file },
          content: { mcpServers: { bridgedeck: { ...server, trust: true } } },
        },
  // https://developers.openai.com/codex/config-reference: values are TOML, whose texts and lists these of JSON are.
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
      // Nobody can be asked: without it each call is cancelled.
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

const GEMINI_DEFAULTS = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'
const OPENCODE_CONTENT = 'OPENCODE_CONFIG_CONTENT'
