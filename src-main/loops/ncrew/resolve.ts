/** Only the files decide: tasks.md gives the phase, and only CREW_COMPLETE says that a crew is done. */
import { field, textOf } from '../../formats/text/located'
import { slug } from '../../formats/ncrew/heading'
import type { Phase } from '../../formats/ncrew/phases'
import { expertFor, nextTask, type Expert, type State } from '../../formats/ncrew/state'

export interface Turn {
  readonly phase: Phase
  readonly expert: Expert
  readonly task: string | undefined
  readonly taskKey: string | undefined
}

export type Resolution =
  | { readonly turn: Turn }
  | { readonly code: 3 | 5; readonly message: string; readonly hint: string }

/** With no open task the last phase is taken, whose expert declares the crew done. */
export function resolve(state: State): Resolution {
  const next = nextTask(state)
  const phase = next?.phase ?? state.phases.at(-1)
  if (!phase) {
    return state.tasks
      ? {
          code: 5,
          message: `${state.tasks.text.path} has no phase with tasks.`,
          hint: 'Add headings “## <Name> Phase” with a checkbox for each task below.',
        }
      : { code: 5, message: 'tasks.md is missing.', hint: 'Run ncrew init to create it with the default crew.' }
  }
  const expert = expertFor(state, slug(phase.name))
  if (!expert) {
    const where = state.manifest?.file ?? '.noodlecrew/manifest.yml'
    return {
      code: 3,
      message: `No expert for phase ${phase.name}.`,
      hint: `Add one with this phase to crew.experts in ${where}, or set “phase” in its EXPERT.md.`,
    }
  }
  return { turn: { phase, expert, task: next?.task.line.text, taskKey: next?.task.key } }
}

/** @param fallback replaces the manifest's default */
export function llmOf(state: State, { llm }: Expert, fallback?: string): string | undefined {
  const standard = textOf(field(field(state.manifest?.root, 'crew'), 'default_llm'))
  return llm === undefined || llm === standard ? (fallback ?? llm) : llm
}

/** Security: a name from a file that is safe to pass to a program. */
const modelName = /^[A-Za-z0-9][\w.:-]{0,80}$/

/**
 * The configured agent of that name, else the one whose name starts the text. Then the text is the model, such as
 * `gemini-2.5-pro` for `gemini`.
 */
export function agentFor(
  llm: string,
  names: readonly string[],
): { readonly agent: string; readonly model?: string } | undefined {
  const same = (name: string) => names.find((known) => known.toLowerCase() === name.toLowerCase())
  const exact = same(llm)
  if (exact !== undefined) return { agent: exact }
  const family = same(/^[A-Za-z]+/.exec(llm)?.[0] ?? '')
  return family === undefined || !modelName.test(llm) ? undefined : { agent: family, model: llm }
}
