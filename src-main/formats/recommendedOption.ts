/** The option that says so; else the first, where agents put the one that they would take. */
export const recommendedOption = (options: readonly string[]): string | undefined =>
  options.find((option) => /\(recommended\)/i.test(option)) ?? options[0]
