import type { Failure } from '@shared/contract/errors'

interface ProblemProps {
  readonly failure: Pick<Failure, 'message' | 'hint'> | null
  /** Of its place. */
  readonly className?: string
  readonly id?: string
}

/** What went wrong and what to do, beside where it was started. */
export function Problem({ failure, className = '', id }: ProblemProps) {
  if (failure === null) return null
  return (
    <p className={`problem ${className}`} role="alert" id={id}>
      {failure.message} {failure.hint}
    </p>
  )
}
