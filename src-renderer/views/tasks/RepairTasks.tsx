import { describeFailure } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { call } from '../../client/call'
import { attempt, notify } from '../../client/messages'
import { refreshTasks } from '../../client/tasks'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'

export function RepairTasks({ onDone }: { readonly onDone: () => void }) {
  const {
    data: plan,
    failure,
    again,
  } = useAnswer('repair', true, (signal) => call('tasks.previewRepair', {}, { signal }))
  const repair = async (stamp: string) => {
    const { entries, aside } = await call('tasks.repair', { stamp })
    notify(`tasks.json is repaired: ${counted(entries, 'task')}. The damaged file is ${aside}.`)
    onDone()
    await refreshTasks()
  }
  return (
    <>
      <h2 className="task-title">Repair tasks.json</h2>
      {failure === null ? null : <p className="problem">{describeFailure(failure)}</p>}
      {plan === null ? null : (
        <p>
          The repaired tasks.json has {counted(plan.entries.length + plan.more, 'task')}. The damaged file is kept as{' '}
          <span className="data">{plan.aside}</span>.
        </p>
      )}
      <div className="task-buttons">
        {plan === null ? null : (
          <Button label="Repair…" look="primary" onClick={() => attempt(() => repair(plan.stamp))} />
        )}
        <Button label="Preview again" onClick={again} />
        <Button label="Cancel" onClick={onDone} />
      </div>
      {plan === null ? null : (
        <>
          {plan.leftOut.map((id) => (
            <p key={id} className="problem">
              <span className="data">{id}</span> is left out: its task.json cannot be read.
            </p>
          ))}
          <ul className="task-files data">
            {plan.entries.map(({ id, status, source }) => (
              <li key={id}>
                <span>{id}</span>
                <span className="muted">
                  {status}, from {source === 'folder' ? 'its folder' : 'the damaged file'}
                </span>
              </li>
            ))}
          </ul>
          {plan.more > 0 ? <p className="muted">and {plan.more} more</p> : null}
        </>
      )}
    </>
  )
}
