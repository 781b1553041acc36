import { useId, type ReactNode } from 'react'
import type { Failure } from '@shared/contract/errors'

interface PartProps {
  readonly title: string
  /** Buttons that concern the whole part. */
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** One kind of thing that the device does. */
export function Part({ title, tools, children }: PartProps) {
  const id = useId()
  return (
    <section className="device-part" aria-labelledby={id}>
      <div className="device-part-head">
        <h2 id={id}>{title}</h2>
        {tools}
      </div>
      {children}
    </section>
  )
}

/** What the machine in front lacks of a part, each reason once. */
export function Limits({ of }: { readonly of: readonly (string | null | undefined)[] }) {
  const reasons = new Set(of.filter((limit) => typeof limit === 'string'))
  return [...reasons].map((reason) => (
    <p key={reason} className="muted device-limit">
      {reason}
    </p>
  ))
}

/** What went wrong and what to do, beside where it was started. */
export function Problem({
  failure,
  id,
}: {
  readonly failure: Pick<Failure, 'message' | 'hint'> | null
  readonly id?: string
}) {
  if (failure === null) return null
  return (
    <p className="problem device-problem" role="alert" id={id}>
      {failure.message} {failure.hint}
    </p>
  )
}
