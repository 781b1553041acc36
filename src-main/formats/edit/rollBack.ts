import type { OfferedField } from '@shared/contract/edits'

export const countText = (commits: readonly string[]): string =>
  commits.length === 1 ? 'its commit' : `its ${commits.length} commits, the newest first,`

export const needsRepository = 'Needs a trusted git repository.'

interface Attempt {
  readonly number: number
  readonly endedAt: number
  readonly commits: readonly string[]
}

export const attemptField = (attempts: readonly Attempt[]): OfferedField => ({
  name: 'attempt',
  label: 'Attempt',
  kind: 'choice',
  value: String(attempts[0]?.number),
  options: attempts.map(({ number, endedAt, commits }, index) => ({
    value: String(number),
    label:
      `${index + 1}, ended ${new Date(endedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${commits.map((commit) => commit.slice(0, 10)).join(', ')}`.slice(
        0,
        200,
      ),
  })),
})

export const chosenAttempt = (attempts: readonly Attempt[], value: string | undefined): readonly string[] =>
  attempts.find(({ number }) => String(number) === value)?.commits ?? []
