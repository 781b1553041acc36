import { Pause, Play, Search, Trash2, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, type ButtonProps } from '../widgets/Button'
import { ByteChart } from '../widgets/byteChart/ByteChart'
import { Check } from '../widgets/Check'
import { EmptyState } from '../widgets/EmptyState'
import { Form, FormFields, FormProblemText, SubmitButton } from '../widgets/form/Form'
import type { FieldDescription, FieldValue } from '../widgets/form/fields'
import { useForm } from '../widgets/form/useForm'
import { IconButton } from '../widgets/IconButton'
import { InertMarkdown } from '../widgets/InertMarkdown'
import { ListBox } from '../widgets/ListBox'
import { Segments } from '../widgets/Segments'
import { TextLink } from '../widgets/TextLink'
import { ZoomButtons } from '../widgets/ZoomButtons'

const nothing = (): void => undefined
const poseNames = ['', 'hover', 'active', 'focus-visible'] as const

function Posed({ children }: { readonly children: ReactNode }) {
  return poseNames.map((pose) => (
    <span key={pose} className={pose === '' ? undefined : `pose-${pose}`}>
      {children}
    </span>
  ))
}

const buttonKinds: readonly Omit<ButtonProps, 'onClick'>[] = [
  { label: 'Restart' },
  { label: 'Connect', look: 'primary', icon: Play },
  { label: 'Details', look: 'plain' },
  { label: 'Pause', icon: Pause, iconOnly: true },
  { label: 'Follow', pressed: true },
]

export function Buttons() {
  return (
    <table className="gallery-table">
      <thead>
        <tr>
          {['', 'hover', 'pressed', 'keyboard', 'out of use'].map((state) => (
            <th key={state} scope="col">
              {state === '' ? 'at rest' : state}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buttonKinds.map((kind) => (
          <tr key={kind.label}>
            {poseNames.map((pose) => (
              <td key={pose}>
                <span className={pose === '' ? undefined : `pose-${pose}`}>
                  <Button {...kind} onClick={nothing} />
                </span>
              </td>
            ))}
            <td>
              <Button {...kind} onClick={nothing} why="The machine is not connected." />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Choices() {
  const [isOn, setOn] = useState(true)
  const [space, setSpace] = useState<'cpu' | 'ram' | 'rom'>('cpu')
  return (
    <div className="gallery-row">
      <Check label="Borders" checked={isOn} onChange={setOn} />
      <Check label="Sound" checked={!isOn} onChange={(isOff) => setOn(!isOff)} />
      <Segments
        label="Address space"
        value={space}
        options={[
          { value: 'cpu', label: 'CPU' },
          { value: 'ram', label: 'RAM' },
          { value: 'rom', label: 'ROM', why: 'This machine has no ROM to read.' },
        ]}
        onChange={setSpace}
      />
      <Segments
        label="Standard"
        value="pal"
        options={[
          { value: 'pal', label: 'PAL' },
          { value: 'ntsc', label: 'NTSC' },
        ]}
        why="The machine is not connected."
        onChange={nothing}
      />
      <ZoomButtons wholeLabel="Show all" step={2} onZoom={nothing} onFit={nothing} />
      <button type="button" className="link">
        Open the log folder
      </button>
      <kbd>Ctrl+Shift+P</kbd>
      <span className="gallery-badge">
        <span className="badge">7</span>
      </span>
    </div>
  )
}

export function Fields() {
  return (
    <div className="gallery-row">
      <Posed>
        <input className="field data" aria-label="Address" defaultValue="$d020" />
      </Posed>
      <input className="field data" aria-label="Wrong address" aria-invalid defaultValue="$g000" />
      <input className="field" aria-label="Without a machine" disabled defaultValue="Not connected" />
      <input className="field" aria-label="Empty" placeholder="Names, separated by spaces" />
      <select className="field" aria-label="Palette" defaultValue="pepto">
        <option value="pepto">Pepto</option>
      </select>
      <progress aria-label="Progress" value={0.4} />
      <meter aria-label="Tokens" value={0.7} />
      <input type="range" aria-label="Volume" />
    </div>
  )
}

export function States() {
  return (
    <div className="gallery-row">
      {(['ok', 'warn', 'bad', 'off'] as const).map((tone) => (
        <span key={tone} className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {{ ok: 'Live', warn: 'Stale', bad: 'Lost', off: 'Not connected' }[tone]}
        </span>
      ))}
      <span className="problem">Timed out after 6 s.</span>
      <span className="warn-text">Not sampled</span>
      <span className="muted">2 minutes ago</span>
    </div>
  )
}

const rows = Array.from({ length: 40 }, (_, index) => `Recording ${index + 1}`)

export function Lists() {
  const [chosen, setChosen] = useState('Recording 1')
  return (
    <div className="gallery-list">
      <ListBox
        label="Recordings"
        items={rows}
        keyOf={(name) => name}
        chosen={chosen}
        onChoose={setChosen}
        height={24}
        isFirst
        render={(name) => (
          <span className="gallery-line">
            {name} <span className="muted">PAL, 12 s</span>
          </span>
        )}
      />
    </div>
  )
}

const fields: readonly FieldDescription[] = [
  { name: 'name', label: 'Name', kind: 'text', hints: [{ text: 'As the list shows it.' }] },
  { name: 'address', label: 'Address', kind: 'text', isData: true, error: 'Not an address: $g000' },
  { name: 'rate', label: 'Rate (Hz)', kind: 'number', minimum: 1, maximum: 50 },
  {
    name: 'mode',
    label: 'Mode',
    kind: 'radios',
    options: [
      { value: 'once', label: 'Once' },
      { value: 'always', label: 'Always' },
    ],
  },
  { name: 'program', label: 'Program', kind: 'file', placeholder: 'No file chosen', onChoose: nothing },
]

export function Forms() {
  const [values, setValues] = useState<Readonly<Record<string, FieldValue>>>({
    name: 'Border colour',
    address: '$g000',
    rate: '50',
    mode: 'once',
  })
  const form = useForm({
    fields,
    values,
    onChange: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    send: () => Promise.reject(new Error('The machine does not answer.')),
  })
  return (
    <Form form={form} label="Start a task" layout="columns">
      <FormFields form={form} />
      <FormProblemText form={form} />
      <div className="form-end">
        <SubmitButton form={form} label="Start" shortcut="Ctrl+Enter" />
      </div>
    </Form>
  )
}

const text = `### Phase 2\n\n- [x] Plot the bridge\n- [ ] Play the song\n\n| Task | State |\n|---|---|\n| Music | failed |\n\n\`sta $d418\``

export function Overlays() {
  return (
    <div className="gallery-overlays">
      <div className="toast">
        <div>
          <p>demo.prg is running.</p>
          <p className="muted">
            Written to <TextLink text="build/demo.prg" tip="Show the file" onOpen={nothing} />.
          </p>
        </div>
        <IconButton label="Dismiss" icon={Trash2} look="plain" onClick={nothing} />
      </div>
      <div className="toast error">
        <TriangleAlert size={14} aria-label="Error" />
        <div>
          <p>VICE does not answer on port 6502.</p>
        </div>
      </div>
      <div className="tooltip">
        Search <kbd>Ctrl+F</kbd>
        <span className="why">Nothing is open.</span>
      </div>
      <div className="popover">A popover over the view</div>
      {(['', 'warn', 'bad'] as const).map((tone) => (
        <div key={tone} className={`strip ${tone}`}>
          <p>{{ '': 'Playing a recording.', warn: 'Not live.', bad: 'The bridge ended.' }[tone]}</p>
          <Button label="Restart" onClick={nothing} />
        </div>
      ))}
    </div>
  )
}

export function Contents() {
  const points = Array.from({ length: 60 }, (_, index) => {
    const value = Math.round(128 + 90 * Math.sin(index / 6))
    return { time: index * 1000, value, low: Math.max(0, value - 12), high: Math.min(255, value + 12) }
  })
  return (
    <div className="gallery-contents">
      <InertMarkdown text={text} />
      <ByteChart values={{ points, damages: [], gaps: [] }} span={{ from: 0, to: 59_000 }} height={140} time={20_000} />
      <EmptyState
        title="No recordings yet"
        action={<Button label="Search" look="primary" icon={Search} onClick={nothing} />}
      >
        <p>Record the machine to go back to any moment.</p>
      </EmptyState>
      <EmptyState title="No sprites from EasyFlash" action={<Button label="Another machine…" onClick={nothing} />}>
        <p>What will never be here has no picture. The machine says why, and the button is no primary one.</p>
      </EmptyState>
    </div>
  )
}
