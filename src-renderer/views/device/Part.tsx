import { useId, type ReactNode } from 'react'

interface PartProps {
  readonly title: string
  readonly tools?: ReactNode
  readonly children: ReactNode
}

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

export function Limits({ of }: { readonly of: readonly (string | null | undefined)[] }) {
  const reasons = new Set(of.filter((limit) => typeof limit === 'string'))
  return [...reasons].map((reason) => (
    <p key={reason} className="muted device-limit">
      {reason}
    </p>
  ))
}
