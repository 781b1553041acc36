import { useState } from 'react'
import { problemText } from '@shared/builds/buildProblems'
import type { Build, BuildPlan } from '@shared/contract/builds'
import { counted } from '@shared/countedText'
import { perform } from '../../client/actions'
import { isBuilding, useBuilds } from '../../client/builds'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { BuildSetup } from './BuildSetup'

const ROW_PX = 20

type BuildProblem = Build['problems'][number]

interface BuildPartProps {
  readonly onProblem: (file: string, line: number) => void
}

export function BuildPart({ onProblem }: BuildPartProps) {
  const { build, plan, isSettingUp } = useBuilds()
  const [chosen, setChosen] = useState<string | null>(null)
  const problems = build?.problems ?? []
  return (
    <section className="build" aria-label="Build">
      <div className="build-row">
        {isBuilding({ build }) ? (
          <Button label="Stop the build" onClick={() => perform('program.stopBuild')} />
        ) : (
          <Button
            label="Build and run"
            shortcut={shortcutOf('program.build')}
            onClick={() => perform('program.build')}
          />
        )}
        <Button label="Set up…" onClick={() => perform('program.setUpBuild')} />
        <span className="build-state" role="status" data-result={build?.result ?? 'none'}>
          {visibleText(stateText(build, plan))}
        </span>
      </div>
      {isSettingUp ? <BuildSetup key={plan?.target ?? ''} plan={plan} /> : null}
      {problems.length === 0 ? null : (
        <div className="build-problems">
          <ListBox
            label="Problems of the build"
            items={problems.map((problem, index) => ({ problem, key: `${build?.startedAt} ${index}` }))}
            keyOf={({ key }) => key}
            chosen={chosen}
            onChoose={({ problem, key }) => {
              setChosen(key)
              showProblem(problem, onProblem)
            }}
            height={ROW_PX}
            render={({ problem }) => (
              <span className={problem.severity === 'error' ? 'data problem' : 'data warn-text'}>
                {visibleText(problemText(problem))}
              </span>
            )}
          />
        </div>
      )}
    </section>
  )
}

function showProblem({ file, line }: BuildProblem, onProblem: BuildPartProps['onProblem']): void {
  if (file !== null) onProblem(file, line ?? 1)
}

function stateText(build: Build | null, plan: BuildPlan | null): string {
  if (build === null) return plan?.command ?? 'No build command yet.'
  const { result, problems, message, command } = build
  if (result === null) return `Building: ${message || command}`
  const count = problems.length === 0 ? '' : `${counted(problems.length, 'problem')}. `
  if (result === 'succeeded') return `${count}${message}`
  return `${result === 'failed' ? 'Failed' : result === 'stopped' ? 'Stopped' : 'Timed out'}. ${count}${message}`
}
