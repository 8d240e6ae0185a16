@_exported public import enum ServiceAPI.ProblemCode
