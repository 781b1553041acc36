import type { RunNeed } from '@shared/contract/orchestration'
import { inspectProject } from '../../../projects/read/inspectProject'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { loadRemembered } from '../../remembered'
import { oneLine, placeOf } from '../../runText'
import { projectFolder, projectGroup as group } from './group'

export const projectNeeds = defineCommand({
  group,
  name: 'needs',
  summary: 'List what waits for you, oldest first.',
  positionals: { folder: projectFolder },
  data: { folder: 'absolute path', needs: '[{ run, system, title, need }]' },
  examples: ['project needs resources/sample-project'],
  run: async ({ output, signal }, { folder }) => {
    const project = await inspectProject(folder, loadRemembered, signal)
    const needs = project.runs
      .filter(({ view }) => !view.archived)
      .flatMap(({ view }) =>
        view.needs.map((need) => ({ run: view.key, system: view.system, title: view.title.value, need })),
      )
      .sort((a, b) => (a.need.since.value ?? Infinity) - (b.need.since.value ?? Infinity) || 0)
    output.result(
      { folder: project.folder, needs },
      needs.length === 0 ? 'Nothing needs you.' : needs.map(describe).join('\n'),
    )
    return EXIT_OK
  },
})

function describe({ system, title, need }: { system: string; title: string | null; need: RunNeed }): string {
  const since = need.since.value === null ? 'since: unknown'.padEnd(24) : new Date(need.since.value).toISOString()
  const effect =
    need.unblocks.length === 0 ? 'blocks the whole run' : `blocks: ${need.unblocks.map(oneLine).join(', ')}`
  return [
    `${since}  ${need.kind}: ${oneLine(need.title)} (${placeOf(need.source)})`,
    `  in ${system} ${oneLine(title ?? 'unknown')}; ${effect}`,
    ...need.options.map((option, index) => `  ${index + 1}. ${oneLine(option)}`),
  ].join('\n')
}
