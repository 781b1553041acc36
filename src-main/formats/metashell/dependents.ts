interface Dependent {
  readonly id: string
  readonly status: string | undefined
  readonly needs: readonly string[]
}

export function completeDependents(tasks: readonly Dependent[], ids: readonly string[]): string[] {
  const gone = new Set(ids)
  for (let before = -1; before !== gone.size;) {
    before = gone.size
    for (const { id, status, needs } of tasks)
      if (status === 'complete' && needs.some((need) => gone.has(need))) gone.add(id)
  }
  return [...gone].filter((id) => !ids.includes(id))
}
