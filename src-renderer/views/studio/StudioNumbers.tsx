import { useFrontMachine, useLimit } from '../../client/machines'
import { planNow, programLimit, usePreview } from './machinePreview'
import { useStudio } from './studio'

export function StudioNumbers() {
  const file = useStudio((studio) => studio.file)
  const conversion = useStudio((studio) => studio.conversion)
  const progress = useStudio((studio) => studio.progress)
  if (file === null) return null
  const numbers = conversion?.numbers
  return (
    <section className="studio-numbers" aria-label="Result">
      <p className="data">
        {file.name} <span className="muted">{`${file.width} x ${file.height}`}</span>
        {progress === null ? null : (
          <progress className="studio-progress" value={progress} max={1} aria-label="Converting" />
        )}
      </p>
      {numbers ? (
        <dl>
          <Figure name="Colours" value={String(numbers.colours)} />
          {numbers.characters ? <Figure name="Characters" value={`${numbers.characters.used} of 256`} /> : null}
          <Figure
            name="Error"
            value={numbers.error.toFixed(1)}
            help="Average distance of a pixel from the picture (OKLab x 100). Dithering adds to it, and looks better."
          />
          <Figure
            name="Cells that lost colours"
            value={`${numbers.lossyCells} of ${numbers.cells}`}
            help="Cells where the limits of the mode can be seen."
          />
        </dl>
      ) : null}
      {conversion?.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {conversion ? <PreviewPlace /> : null}
    </section>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly help?: string
}

const Figure = ({ name, value, help }: FigureProps) => (
  <div title={help}>
    <dt className="muted">{name}</dt>
    <dd className="data">{value}</dd>
  </div>
)

function PreviewPlace() {
  const preview = usePreview((state) => state.preview)
  const limit = useLimit('writeMemory')
  const goesOn = programLimit(useFrontMachine())
  if (preview !== null)
    return (
      <p className="muted" role="status">
        {preview.title} shows the preview. “Take back” restores {preview.places}.
      </p>
    )
  if (limit !== null) return <p className="muted">No preview: {limit}</p>
  const plan = planNow()
  if (plan === null) return null
  return (
    <p className="muted">
      A preview writes {plan.places}.{' '}
      {goesOn === null ? 'The program waits until you take it back.' : `The program may draw over it: ${goesOn}`}
    </p>
  )
}
