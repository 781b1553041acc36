/** Lists, limits and gates that cannot be read stop a crew. No run may pass over them. */
import { quote, type Finding } from '../finding'
import { printed, unclearAmounts, type Unclear } from '../unclearAmounts'
import { isUnreadable } from '../text/stateFile'
import { within } from '../listing'
import { entriesOf, field, isNull, numberOf } from '../text/located'
import { CREW, places, questionsFolder } from './detect'
import { phaseSlug } from './heading'
import { indexFact, indexField } from './indexFacts'
import { humanGates, limitOf, manifestPhaseKeys, phaseName, type State } from './state'

export function unclear(state: State): Unclear[] {
  const files = unreadable(state)
  // In a cut file, missing values mean nothing.
  return files.length > 0 ? files : [...limits(state), ...gates(state), ...questionsOutside(state)]
}

/** @param path relative to the crew's folder; empty for the folder itself */
export const mayHoldState = (path: string): boolean =>
  path === '' || path === CREW || places.questions.some((place) => `${path}/`.startsWith(`${place}/`))

function unreadable({ folder, problems }: State): Unclear[] {
  const own = new Set([places.index, places.tasks, places.manifest].flat().map((name) => within(folder, name)))
  return problems
    .filter((finding) => (own.has(finding.file) && isUnreadable(finding)) || isLeftOut(finding))
    .map(({ file, line, found, expected }) => ({
      text: `Cannot read ${file === '' ? 'the folder' : file}, line ${line}: found ${found}; expected ${expected}.`,
      source: { file, line },
    }))
}

const isLeftOut = ({ rule, severity }: Finding): boolean => severity === 'error' && rule.startsWith('project/')

/** A limit or used amount that is no number: taken as 0 or the default, it would let the crew run on. */
function limits(state: State): Unclear[] {
  const { manifest } = state
  const allowed = unclearAmounts(manifest, {
    max_iterations: limitOf(state, 'max_iterations'),
    max_cost: limitOf(state, 'max_cost'),
  })
  const used = (['current_iteration', 'cost_so_far'] as const).flatMap((name) => {
    const { value, source, written } = indexFact(state, name, numberOf)
    if ((value ?? -1) >= 0 || !source || (value === null && written === undefined) || isNull(indexField(state, name)))
      return []
    return [{ text: `${source.file} has no number as ${name}: ${quote(written ?? value)}.`, source }]
  })
  return [...allowed, ...used]
}

function gates(state: State): Unclear[] {
  const { manifest } = state
  if (!manifest) return []
  const node = field(field(manifest.root, 'validation'), 'human_gates')
  const isList = !node || isNull(node) || node.kind === 'list' || humanGates(state).length > 0
  if (!isList && !(node.kind === 'map' && entriesOf(node).length === 0))
    return [
      {
        text: `${manifest.file} has no list of phases as human_gates: ${printed(node)}.`,
        source: manifest.source(node),
      },
    ]
  const known = new Set([...manifestPhaseKeys(state), ...state.phases.map(({ name }) => phaseSlug(name))])
  return humanGates(state)
    .filter((gate) => !known.has(phaseSlug(phaseName(gate) ?? '')))
    .map((gate) => ({
      text: `${manifest.file} has a gate after ${printed(gate)}, which is no phase.`,
      source: manifest.source(gate),
    }))
}

/** Questions in a folder that is not read would be passed over. */
function questionsOutside({ folder, manifest }: State): Unclear[] {
  const node = field(field(manifest?.root, 'workflow'), 'questions_dir')
  if (!manifest || !node || isNull(node) || questionsFolder(folder, manifest.root) !== undefined) return []
  return [
    {
      text: `${manifest.file} names no folder of the project as questions_dir: ${printed(node)}.`,
      source: manifest.source(node),
    },
  ]
}
