import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { MAX_SETTING_CHARACTERS, maestroSetting } from '@shared/contract/loopOptions'
import { isMaestroSession } from '@shared/formats/systems'
import { runHold } from '@shared/runHold'
import { parentOf, within } from '../../formats/listing'
import type { Setting } from '../../formats/maestro/settings'
import type { Loop, LoopEnd, LoopPlace } from '../loop'
import { LaneTrees } from '../laneTrees'
import { RunGuard } from '../runGuard'
import { TurnsTogether } from '../turnsTogether'
import { namedAgent, type MaestroWork } from './agentChoice'
import { chosenSettings, foreignWords, resolveSettings } from './dispatch/dispatchSettings'
import { runBatch } from './dispatch/runBatch'
import { runSession } from './run/runSession'
import { resolveRunSettings } from './run/runSettings'
import { SessionStore } from './session/sessionStore'
import { settingLayers } from './stateFiles'

export const maestroLoop: Loop<'maestro'> = {
  system: 'maestro',
  bringsAgent: true,
  inPlace: (place) =>
    isMaestroSession(place) ? undefined : 'a batch alone is no run that could be merged; run its session in one.',
  settings: async ({ root, folder, place }, chosen) => {
    const layers = await settingLayers(join(root, folder), process.env)
    const texts = resolveSettings({ ...layers, chosen: chosenSettings(chosen) })
    const all = { ...(isMaestroSession(place) ? resolveRunSettings(layers) : {}), ...texts }
    return {
      settings: Object.entries(all).map(([name, setting]) => ({ name, ...requireFit(name, setting) })),
      envWords: foreignWords(texts),
    }
  },
  roles: (at) => rolesOf(at),
  async requestedAgents(at, names) {
    const agents = (await rolesOf(at)).map((role) => [role, namedAgent(names, role) ?? names[0]] as const)
    return Object.fromEntries(agents.flatMap(([role, agent]) => (agent === undefined ? [] : [[role, agent]])))
  },
  startsAnew: (place, options) => !isMaestroSession(place) && !('resumes' in options && options.resumes === true),
  continued: (place, options) => (isMaestroSession(place) ? options : { ...options, resumes: true }),
  agentTest: () => ({ request: 'Answer with the one word: ready', writesFiles: true, problemOf: () => null }),
  run: (work) => (isMaestroSession(work.place) ? runSession(work) : dispatch(work)),
}

/** @throws AppError INVALID */
function requireFit(name: string, setting: Setting): Setting {
  if (maestroSetting.safeParse(setting).success) return setting
  throw new AppError(
    'INVALID',
    `${name} of the ${setting.source} has more than ${MAX_SETTING_CHARACTERS} characters, or one that is NUL.`,
  )
}

async function dispatch(work: MaestroWork): Promise<LoopEnd> {
  const guard = new RunGuard(work)
  const held = () => {
    const end = guard.check()
    return (
      end && {
        ...end,
        hint:
          end.outcome === 'limit'
            ? 'Raise the limit in the inbox, with project answer or in Settings > Runs, then resume the batch.'
            : 'Let it continue in the inbox or with project answer, then resume the batch.',
      }
    )
  }
  const ignored = ['prompts', 'results'].map((name) => within(work.place, name))
  const together = new TurnsTogether({ work, place: work.place, ignored: ignored.flatMap(belowFolder(work.folder)) })
  const trees = new LaneTrees({ work, ignored: ignored.flatMap(belowFolder(work.folder)) })
  const isApart = (work.options.worktreePerAgent ?? false) || trees.has(work.place)
  if (!work.options.resumes) await together.close()
  const guarded = { ...work, isPausing: () => work.isPausing() || held() !== undefined }
  const unwatch = together.watch()
  let end: LoopEnd
  try {
    end = await (isApart ? runBatch(guarded, { trees }) : runBatch(together.observed(guarded)))
  } finally {
    await together.close().finally(unwatch)
  }
  if (isApart && end.outcome !== 'paused' && !work.signal.aborted)
    await trees.settle('The batch has ended. Look at it, then merge it or throw it away.')
  const needsPerson = end.outcome === 'failed' && runHold(work.holds)?.kind === 'agent'
  return (end.outcome === 'paused' || needsPerson) && !work.isPausing() ? (held() ?? end) : end
}

const belowFolder =
  (folder: string) =>
  (path: string): string[] =>
    path.startsWith('../')
      ? []
      : folder === ''
        ? [path]
        : path.startsWith(`${folder}/`)
          ? [path.slice(folder.length + 1)]
          : []

const READ_LIMIT_MS = 10_000

async function rolesOf({ root, place }: LoopPlace): Promise<string[]> {
  if (!isMaestroSession(place)) return []
  const signal = AbortSignal.timeout(READ_LIMIT_MS)
  const run = await new SessionStore({ root, stateDir: parentOf(parentOf(place)), signal })
    .read()
    .catch(() => undefined)
  const agents = (run?.phases ?? []).flatMap(({ details }) => details.agents.flatMap(({ value }) => value ?? []))
  return run ? [...new Set([...agents.map((agent) => agent.replaceAll('-', '_')), 'code_reviewer'])] : []
}
