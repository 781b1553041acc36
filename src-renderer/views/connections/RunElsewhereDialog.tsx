import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { formatAddress } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import type { ImageContents } from '@shared/contract/machine'
import { call } from '../../client/call'
import { connectNamed, runGranted, showMachine } from '../../client/machineControl'
import { findMachine, isConnected, useMachines } from '../../client/machines'
import { describeError } from '../../client/messages'
import { closeRefused, limitOfVice, useRefused, type Refused, type Wanted } from '../../client/runElsewhere'
import { showSetting } from '../../client/showSetting'
import { Button } from '../../widgets/Button'
import { ListBox } from '../../widgets/ListBox'
import { refreshConnections, useConnections } from './store'
import './runElsewhere.css'

const VICE = 'vice'
const ROW_HEIGHT = 24

export function RunElsewhereDialog() {
  const refused = useRefused((state) => state.refused)
  return (
    <Dialog.Root open={refused !== null} onOpenChange={closeRefused}>
      <Dialog.Portal>
        <Dialog.Overlay className="scrim" />
        {refused === null ? null : (
          <Dialog.Content className="dialog of-form run-elsewhere" aria-describedby={undefined}>
            <Contents key={refused.id} refused={refused} />
          </Dialog.Content>
        )}
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Contents({ refused }: { readonly refused: Refused }) {
  const { wanted, machine, why, needsBasic, programs } = refused
  const [problem, setProblem] = useState(refused.problem)
  const [doing, setDoing] = useState<string | null>(null)
  const vice = useVice(wanted)
  const busy = doing === null ? null : 'Wait for what was begun.'

  const act = (name: string, action: () => Promise<void>) => {
    setDoing(name)
    setProblem(null)
    action()
      .then(closeRefused, (error: unknown) => setProblem(describeError(error)))
      .finally(() => setDoing(null))
  }
  const leaveFor = (row: 'kernalRom' | 'viceExecutable') => {
    closeRefused()
    void showSetting(row)
  }

  return (
    <>
      <Dialog.Title>{wanted.kind === 'file' ? `${wanted.name} does not run here` : 'This needs BASIC'}</Dialog.Title>
      <p>{why}</p>
      {programs.length === 0 || wanted.kind === 'text' ? null : (
        <Programs
          programs={programs}
          why={busy}
          onRun={(entry) => act('program', () => runGranted(machine, wanted.grant, entry))}
        />
      )}
      {vice.limit === null ? null : <p className="muted">{vice.limit}</p>}
      <p role="status" className={problem === null ? 'muted' : 'problem'}>
        {problem ?? (doing === 'vice' ? 'Starting VICE…' : '')}
      </p>
      <div className="prompt-buttons">
        <Button label="Cancel" onClick={closeRefused} />
        {wanted.kind === 'text' ? (
          <Button label="Type it anyway" why={busy} onClick={() => act('type', () => typeInto(machine, wanted.text))} />
        ) : null}
        {needsBasic ? <Button label="Choose ROMs…" onClick={() => leaveFor('kernalRom')} /> : null}
        {vice.isMissing ? <Button label="Choose VICE…" onClick={() => leaveFor('viceExecutable')} /> : null}
        <Button
          label="Run in VICE"
          look="primary"
          why={vice.limit ?? busy}
          onClick={() => act('vice', () => runInVice(refused))}
        />
      </div>
    </>
  )
}

interface ProgramsProps {
  readonly programs: ImageContents['programs']
  readonly why: string | null
  readonly onRun: (entry: number) => void
}

function Programs({ programs, why, onRun }: ProgramsProps) {
  const [chosen, setChosen] = useState(0)
  const items = programs.map((program, entry) => ({ ...program, entry }))
  return (
    <section aria-label="Programs in it">
      <p>A program that loads nothing more runs without its disk or tape:</p>
      <div className="image-programs" style={{ height: ROW_HEIGHT * Math.min(8, items.length) + 2 }}>
        <ListBox
          label="Programs in it"
          items={items}
          keyOf={({ entry }) => String(entry)}
          chosen={String(chosen)}
          onChoose={({ entry }) => setChosen(entry)}
          onOpen={({ entry }) => onRun(entry)}
          height={ROW_HEIGHT}
          render={({ name, start, length }) => (
            <span className="image-program">
              <span className="data">{name}</span>
              <span className="data muted">
                {formatAddress(start)}, {length} bytes
              </span>
            </span>
          )}
        />
      </div>
      <Button label="Run this program here" why={why} onClick={() => onRun(chosen)} />
    </section>
  )
}

function useVice(wanted: Wanted): { readonly limit: string | null; readonly isMissing: boolean } {
  const found = useConnections((state) => state.connections?.vice)
  const state = useMachines((machines) => findMachine(machines, VICE))
  useEffect(() => void refreshConnections().catch(() => undefined), [])
  const isMissing = found !== undefined && found.executable === null && !isConnected(state)
  return { limit: isMissing ? found.problem : limitOfVice(wanted, state), isMissing }
}

/** Small enough to end well before the deadline of a call. */
const CHUNK_CHARACTERS = 64

async function typeInto(machine: string, text: string): Promise<void> {
  for (let done = 0; done < text.length; done += CHUNK_CHARACTERS)
    await call('machine.typeText', { machine, text: text.slice(done, done + CHUNK_CHARACTERS) })
}

/** The machine from before comes back where VICE does not run it either. */
async function runInVice({ wanted, machine }: Refused): Promise<void> {
  try {
    await connectNamed(VICE)
    const state = findMachine(useMachines.getState(), VICE)
    if (!isConnected(state)) throw new AppError('UNREACHABLE', state?.reason ?? 'VICE could not be started.')
    const limit = limitOfVice(wanted, state)
    if (limit !== null) throw new AppError('UNSUPPORTED', limit)
    if (wanted.kind === 'file') await runGranted(VICE, wanted.grant)
    else await typeInto(VICE, wanted.text)
  } catch (error) {
    showMachine(machine)
    throw error
  }
}
