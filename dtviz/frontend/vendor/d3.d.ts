// Types of the parts of d3-hierarchy that are used.

export interface PointNode<T> {
  data: T;
  x: number;
  y: number;
  depth: number;
  parent: PointNode<T> | null;
  children?: PointNode<T>[];
  [Symbol.iterator](): Iterator<PointNode<T>>;
}

export interface TreeLayout<T> {
  (root: PointNode<T>): PointNode<T>;
  nodeSize(size: [number, number]): TreeLayout<T>;
  separation(distance: (a: PointNode<T>, b: PointNode<T>) => number): TreeLayout<T>;
}

export function hierarchy<T>(data: T, children: (datum: T) => T[] | undefined): PointNode<T>;
export function tree<T>(): TreeLayout<T>;
