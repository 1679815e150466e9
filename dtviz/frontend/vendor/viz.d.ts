// What the tree uses of Viz.js.

/** Graphviz, once it has started. */
export function instance(): Promise<{
  renderString(text: string, options: { format: string }): string;
}>;
