import type { Agent } from '@shared/contract/agents'
import type { AgentRequest } from './agent'
import { gitFoldersOf } from './gitFolders'

export interface WorkAccess {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const GEMINI_TRUST = 'GEMINI_CLI_TRUST_WORKSPACE'
/** Otherwise Codex starts only in repositories and in folders that were trusted at its terminal. */
const CODEX_WITHOUT_GIT = '--skip-git-repo-check'

/**
 * Agents start only in trusted projects and in our own empty folders. The same variable passed by the person takes
 * precedence.
 */
export async function giveWork(
  { preset, args, environment: chosen }: Pick<Agent, 'preset' | 'args' | 'environment'>,
  { cwd, identity }: Pick<AgentRequest, 'cwd' | 'identity'>,
): Promise<WorkAccess> {
  switch (preset) {
    // https://geminicli.com/docs/cli/trusted-folders: --skip-trust comes too late, after the project's settings and
    // hooks were skipped.
    case 'gemini':
      return {
        args: [],
        environment: {
          ...(chosen.includes(GEMINI_TRUST) ? {} : { [GEMINI_TRUST]: 'true' }),
          ...(chosen.some((name) => name.startsWith('GIT_CONFIG_'))
            ? {}
            : asGitSettings((await identity?.().catch(() => null)) ?? {})),
        },
      }
    // https://developers.openai.com/codex/agent-approvals-security: its sandbox keeps .git read-only. Added to the person's own
    // writable roots, and without effect where its sandbox writes nothing.
    case 'codex': {
      const writable = gitFoldersOf(cwd).flatMap((path) => ['--add-dir', path])
      const isRefused = writable.length === 0 && !args.includes(CODEX_WITHOUT_GIT)
      return { args: isRefused ? [CODEX_WITHOUT_GIT] : writable, environment: {} }
    }
    default:
      return { args: [], environment: {} }
  }
}

/** The shell of Gemini CLI 0.61 hides the person's .gitconfig from git, but passes on settings in the environment. */
function asGitSettings(identity: object): Record<string, string> {
  const settings = Object.entries(identity)
  return Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      ['GIT_CONFIG_COUNT', String(settings.length)],
      [`GIT_CONFIG_KEY_${index}`, `user.${name}`],
      [`GIT_CONFIG_VALUE_${index}`, String(value)],
    ]),
  )
}

export const joinAccess = (one: WorkAccess, other: WorkAccess): WorkAccess => ({
  args: [...one.args, ...other.args],
  environment: { ...one.environment, ...other.environment },
})
