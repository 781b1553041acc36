import { Webhook } from 'lucide-react'
import { useState } from 'react'
import type { DetailsOf } from '@shared/contract/runDetails'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { dayAndTime } from '../../../widgets/times'
import { useClock } from '../../../widgets/useClock'
import { visibleText } from '../../../widgets/visibleText'
import { act } from '../edit/editing'
import { useProjects } from '../store'
import { OwnHooks } from './OwnHooks'
import { Section, Table } from './parts'

/** The hooks run in processes of their own, which send no events. */
const REREAD_MS = 5_000
const MAX_SHOWN = 20

const tones = { allow: '', none: 'muted', deny: 'warn-text' } as const
const words = { allow: 'allowed', none: 'noted', deny: 'sent back' } as const

interface HooksSectionProps {
  readonly project: number
  readonly hookFiles: DetailsOf<'maestro'>['hookFiles']
}

export function HooksSection({ project, hookFiles }: HooksSectionProps) {
  const isPast = useProjects(({ at }) => at !== null)
  const run = useProjects(({ choice }) => choice?.run ?? null)
  const now = useClock(!isPast, REREAD_MS)
  const [changes, setChanges] = useState(0)
  const reread = () => setChanges((count) => count + 1)
  const { data, failure } = useAnswer(
    `hooks ${project}`,
    !isPast,
    (signal) => call('loops.hookDecisions', { project }, { signal }),
    `${Math.floor(now / REREAD_MS)} ${changes}`,
  )
  const { decisions = [], own = [] } = data ?? {}
  return (
    <Section title="Hooks">
      {hookFiles.map(({ file, calls }) => (
        <p key={file} className="run-buttons">
          <span className="data">{visibleText(file)}</span>
          <span className={calls.length === 0 ? 'muted' : ''}>
            {calls.length === 0 ? 'Not installed.' : `Installed: ${calls.map(({ event }) => event).join(', ')}`}
          </span>
          <Button
            label={calls.length === 0 ? 'Install hooks…' : 'Change hooks…'}
            icon={Webhook}
            tip="Preview the change of this file"
            why={isPast || run === null ? 'Go back to now first.' : null}
            onClick={() => {
              if (run !== null) act({ project, run }, 'Hooks', file)
            }}
          />
        </p>
      ))}
      {own.map(({ file, events }) => (
        <p key={file}>
          <span className="data">{visibleText(file)}</span> Yours, for all projects: {events.join(', ')}
        </p>
      ))}
      {isPast ? null : <OwnHooks version={JSON.stringify(own)} onChanged={reread} />}
      {own.length > 0 && hookFiles.some(({ calls }) => calls.length > 0) ? (
        <p className="warn-text">Each event is answered twice: remove the hooks of this project, or your own.</p>
      ) : null}
      {failure === null ? null : <p className="problem">{visibleText(failure.message)}</p>}
      {isPast ? null : decisions.length === 0 ? (
        <p className="muted">No hook was called in this project yet.</p>
      ) : (
        <Table heads={['Time', 'Event', 'Agent', 'Answer', 'Why']}>
          {decisions.slice(0, MAX_SHOWN).map(({ time, event, agent, answer, reason }, at) => (
            <tr key={at}>
              <td className="muted">{dayAndTime(time)}</td>
              <td>{visibleText(event)}</td>
              <td>{visibleText(agent ?? '')}</td>
              <td className={tones[answer]}>{words[answer]}</td>
              <td>{visibleText(reason)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}
