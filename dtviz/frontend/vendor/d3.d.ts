// Types of the parts of d3-hierarchy, d3-scale, d3-shape and d3-array that are used.

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

export interface LinearScale {
  (value: number): number;
  invert(pixel: number): number;
  unknown(result: number): LinearScale;
}

export interface PlaceScale {
  (place: number): number | undefined;
  step(): number;
}

export function scaleLinear(domain: [number, number], range: [number, number]): LinearScale;
export function scaleBand(domain: number[], range: [number, number]): PlaceScale;
export function scalePoint(domain: number[], range: [number, number]): PlaceScale;

type Path = Pick<CanvasPath, "moveTo" | "lineTo" | "closePath">;
type Curve = { readonly curve: unique symbol };

export interface LineShape {
  (data: Iterable<number>): void;
  x(pixel: (datum: number) => number): LineShape;
  y(pixel: (datum: number) => number): LineShape;
  curve(curve: Curve): LineShape;
  context(path: Path): LineShape;
}

export interface AreaShape {
  (data: Iterable<number>): void;
  x(pixel: (datum: number) => number): AreaShape;
  y0(pixel: (datum: number) => number): AreaShape;
  y1(pixel: (datum: number) => number): AreaShape;
  context(path: Path): AreaShape;
}

export const curveStepAfter: Curve;
export function line(): LineShape;
export function area(): AreaShape;

export function bisectCenter(sorted: ArrayLike<number>, value: number, from?: number, to?: number): number;
export function leastIndex<T>(values: Iterable<T>, accessor: (value: T) => number): number;
