import { Webhook } from 'lucide-react'
import { useState } from 'react'
import { hookFormatLabels, hookFormats } from '@shared/hookFormats'
import { call } from '../../../client/call'
import { DiffView } from '../../../client/DiffView'
import { attempt, notify } from '../../../client/messages'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'

interface OwnHooksProps {
  readonly version: string
  readonly onChanged: () => void
}

const actions = ['install', 'remove'] as const

export function OwnHooks({ version, onChanged }: OwnHooksProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="commit" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Install or remove for all projects…</summary>
      {isOpen ? <Change version={version} onChanged={onChanged} /> : null}
    </details>
  )
}

function Change({ version, onChanged }: OwnHooksProps) {
  const [action, setAction] = useState<(typeof actions)[number]>('install')
  const [format, setFormat] = useState<(typeof hookFormats)[number]>('1.2')
  const { data, failure } = useAnswer(
    `${action} ${format}`,
    true,
    (signal) => call('loops.previewOwnHooks', { action, format }, { signal }),
    version,
  )
  const isThere = data?.files.length === 0
  return (
    <>
      <div className="run-roles">
        <label>
          <span className="muted">change</span>
          <select
            value={action}
            onChange={({ target }) => setAction(actions.find((known) => known === target.value) ?? 'install')}
          >
            <option value="install">install</option>
            <option value="remove">remove</option>
          </select>
        </label>
        {action === 'install' ? (
          <label>
            <span className="muted">Maestro version</span>
            <select
              value={format}
              onChange={({ target }) => setFormat(hookFormats.find((known) => known === target.value) ?? '1.2')}
            >
              {hookFormats.map((known) => (
                <option key={known} value={known}>
                  {hookFormatLabels[known]}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <Button
          label={action === 'install' ? 'Install for all projects…' : 'Remove for all projects…'}
          icon={Webhook}
          why={data ? (isThere ? 'Nothing would change.' : null) : (failure?.message ?? 'Reading the file…')}
          onClick={() => {
            if (data) attempt(() => change({ action, format, token: data.token }, onChanged))
          }}
        />
      </div>
      {failure === null ? null : <p className="problem">{visibleText(failure.message)}</p>}
      {data && !isThere ? <DiffView preview={data} label="What would be written" /> : null}
    </>
  )
}

async function change(asked: Parameters<typeof call<'loops.changeOwnHooks'>>[1], onChanged: () => void): Promise<void> {
  const written = await call('loops.changeOwnHooks', asked)
  if (written === null) return
  onChanged()
  const undo = async () => {
    const { file, warning } = await call('loops.undoOwnHooks', {})
    onChanged()
    notify(`${file} is as it was before.`, warning)
  }
  notify(
    `${asked.action === 'install' ? 'Installed the hooks in' : 'Removed the hooks from'} ${written.file}.`,
    written.warning,
    {
      label: 'Undo',
      run: () => attempt(undo),
    },
  )
}
