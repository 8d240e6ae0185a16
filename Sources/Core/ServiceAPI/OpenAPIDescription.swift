/// The OpenAPI 3.1 description of accounts, user data and published questions; tests compare it with the routes.
public enum OpenAPIDescription {
    /// The whole document, as bytes of JSON.
    public static let bytes: [UInt8] = Array(text.utf8)

    private static let text = #"""
        {
          "components": {
            "responses": {
              "E400": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The request is malformed."
              },
              "E401": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The token is missing, expired or revoked."
              },
              "E403": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The token does not permit this."
              },
              "E404": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The address, collection or record does not exist."
              },
              "E409": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The record has another revision than the request states."
              },
              "E410": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The account was deleted."
              },
              "E413": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The body exceeds the limit."
              },
              "E415": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The type or encoding of the body is not supported."
              },
              "E422": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The collection does not accept the record."
              },
              "E428": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The request must state the revision that it replaces."
              },
              "E429": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "Too many requests."
              },
              "E503": {
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                },
                "description": "The server is overloaded; retry later."
              }
            },
            "schemas": {
              "AnswerRun": {
                "description": "A run of answers of one device, in columns of equal length.",
                "properties": {
                  "bank": {"type": "array"},
                  "client": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                  "correct": {"pattern": "^[01]+$", "type": "string"},
                  "count": {"maximum": 10000, "minimum": 1, "type": "integer"},
                  "credit": {"additionalProperties": {"type": "number"}, "type": "object"},
                  "date": {"items": {"type": "integer"}, "type": "array"},
                  "exposures": {"items": {"type": "integer"}, "type": "array"},
                  "first": {"minimum": 1, "type": "integer"},
                  "mode": {"type": "array"},
                  "offset": {
                    "description": "Minutes east of UTC, -1080 to 1080 or null, each followed by its run length.",
                    "items": {"type": ["integer", "null"]}, "type": "array"
                  },
                  "options": {"$ref": "#/components/schemas/NamedColumn"},
                  "question": {"$ref": "#/components/schemas/NamedColumn"},
                  "random": {"pattern": "^[01]+$", "type": "string"},
                  "rating": {"pattern": "^[0-4]+$", "type": "string"},
                  "session": {"type": "array"},
                  "taken": {"items": {"type": "integer"}, "type": "array"},
                  "void": {"items": {"type": "integer"}, "type": "array"}
                },
                "required": [
                  "client",
                  "first",
                  "count",
                  "bank",
                  "session",
                  "mode",
                  "question",
                  "options",
                  "correct",
                  "random",
                  "taken",
                  "exposures",
                  "date"
                ],
                "type": "object"
              },
              "Audit": {
                "properties": {
                  "entries": {
                    "items": {"$ref": "#/components/schemas/AuditEntry"}, "maxItems": 1000, "type": "array"
                  }
                },
                "required": ["entries"],
                "type": "object"
              },
              "AuditEntry": {
                "description": "An action. The actor is operator:NAME, server:HOST or an account's id.",
                "properties": {
                  "action": {"type": "string"}, "actor": {"type": "string"},
                  "detail": {"type": "string"}, "number": {"minimum": 1, "type": "integer"},
                  "subject": {"type": "string"}, "time": {"format": "date-time", "type": "string"}
                },
                "required": ["number", "time", "actor", "action", "subject", "detail"],
                "type": "object"
              },
              "Board": {
                "properties": {
                  "bank": {"type": "string"},
                  "board": {"type": "string"},
                  "firstDay": {"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "type": "string"},
                  "friends": {
                    "items": {"$ref": "#/components/schemas/BoardEntry"}, "type": "array"
                  },
                  "isFinal": {"type": "boolean"},
                  "neighbours": {
                    "items": {"$ref": "#/components/schemas/BoardEntry"}, "type": "array"
                  },
                  "own": {"$ref": "#/components/schemas/BoardEntry"},
                  "period": {"enum": ["day", "week", "month", "all"], "type": "string"},
                  "places": {"minimum": 0, "type": "integer"},
                  "refreshedAt": {"minimum": 0, "type": "integer"},
                  "top": {"items": {"$ref": "#/components/schemas/BoardEntry"}, "type": "array"}
                },
                "required": [
                  "board",
                  "bank",
                  "period",
                  "places",
                  "refreshedAt",
                  "isFinal",
                  "top",
                  "neighbours",
                  "friends"
                ],
                "type": "object"
              },
              "BoardEntry": {
                "properties": {
                  "friendCode": {"pattern": "^[0-9A-Z]{10}$", "type": "string"},
                  "isOwn": {"type": "boolean"},
                  "name": {"maxLength": 120, "minLength": 1, "type": "string"},
                  "rank": {"minimum": 1, "type": "integer"},
                  "reachedAt": {"minimum": 0, "type": "integer"},
                  "score": {"maximum": 2147483647, "minimum": 0, "type": "integer"}
                },
                "required": ["rank", "score", "reachedAt"],
                "type": "object"
              },
              "Boards": {
                "properties": {
                  "boards": {
                    "items": {
                      "properties": {
                        "bank": {"type": "string"},
                        "name": {"type": "string"},
                        "periods": {
                          "items": {"enum": ["day", "week", "month", "all"], "type": "string"},
                          "type": "array"
                        },
                        "timeZone": {"type": "string"}
                      },
                      "required": ["name", "bank", "timeZone", "periods"],
                      "type": "object"
                    },
                    "type": "array"
                  }
                },
                "required": ["boards"],
                "type": "object"
              },
              "Credentials": {
                "properties": {
                  "email": {"maxLength": 254, "minLength": 1, "type": "string"},
                  "password": {"maxLength": 256, "minLength": 1, "type": "string"}
                },
                "required": ["email", "password"],
                "type": "object"
              },
              "Devices": {
                "properties": {
                  "devices": {
                    "items": {
                      "properties": {
                        "answers": {"type": "integer"},
                        "id": {"type": "string"},
                        "lastSeen": {"type": "integer"},
                        "unreadResults": {"type": "integer"}
                      },
                      "required": ["id", "lastSeen", "answers", "unreadResults"],
                      "type": "object"
                    },
                    "type": "array"
                  }
                },
                "required": ["devices"],
                "type": "object"
              },
              "EmailAddress": {
                "properties": {"email": {"maxLength": 254, "minLength": 1, "type": "string"}},
                "required": ["email"],
                "type": "object"
              },
              "EmailCode": {
                "properties": {"code": {"maxLength": 64, "minLength": 1, "type": "string"}},
                "required": ["code"],
                "type": "object"
              },
              "Event": {
                "properties": {
                  "bank": {"type": "string"},
                  "endsAt": {"minimum": 0, "type": "integer"},
                  "name": {"type": "string"},
                  "pointsMax": {"maximum": 10000, "minimum": 1, "type": "integer"},
                  "startsAt": {"minimum": 0, "type": "integer"},
                  "submissionsMax": {"maximum": 10000, "minimum": 1, "type": "integer"},
                  "title": {"type": "string"}
                },
                "required": [
                  "name", "title", "bank", "startsAt", "endsAt", "pointsMax", "submissionsMax"
                ],
                "type": "object"
              },
              "EventPlaces": {
                "properties": {
                  "asOf": {"minimum": 0, "type": "integer"},
                  "event": {"type": "string"},
                  "isFinal": {"type": "boolean"},
                  "isStale": {"type": "boolean"},
                  "own": {"$ref": "#/components/schemas/BoardEntry"},
                  "places": {"minimum": 0, "type": "integer"},
                  "state": {"enum": ["upcoming", "running", "ended"], "type": "string"},
                  "top": {"items": {"$ref": "#/components/schemas/BoardEntry"}, "type": "array"}
                },
                "required": ["event", "state", "isFinal", "places", "asOf", "isStale", "top"],
                "type": "object"
              },
              "EventReceipt": {
                "properties": {
                  "places": {"minimum": 1, "type": "integer"},
                  "rank": {"minimum": 1, "type": "integer"},
                  "result": {
                    "enum": ["counted", "duplicate", "early", "late", "tooMany"], "type": "string"
                  },
                  "score": {"minimum": 0, "type": "integer"}
                },
                "required": ["result", "score"],
                "type": "object"
              },
              "EventSubmission": {
                "additionalProperties": false,
                "properties": {
                  "id": {"pattern": "^[A-Za-z0-9_-]{1,64}$", "type": "string"},
                  "points": {"maximum": 10000, "minimum": 0, "type": "integer"}
                },
                "required": ["id", "points"],
                "type": "object"
              },
              "Events": {
                "properties": {
                  "events": {
                    "items": {"$ref": "#/components/schemas/Event"}, "type": "array"
                  }
                },
                "required": ["events"],
                "type": "object"
              },
              "Exchange": {
                "properties": {
                  "anew": {"type": "boolean"},
                  "answers": {"items": {"$ref": "#/components/schemas/AnswerRun"}, "type": "array"},
                  "client": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                  "copied": {"type": "boolean"},
                  "cursor": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                  "epoch": {"type": "string"},
                  "head": {
                    "items": false,
                    "maxItems": 2,
                    "minItems": 2,
                    "prefixItems": [
                      {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                      {"maxLength": 64, "type": "string"}
                    ],
                    "type": "array"
                  },
                  "held": {
                    "additionalProperties": {
                      "maximum": 9007199254740992,
                      "minimum": 0,
                      "type": "integer"
                    },
                    "maxProperties": 2000,
                    "propertyNames": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                    "type": "object"
                  },
                  "operations": {
                    "items": {"$ref": "#/components/schemas/Operation"},
                    "maxItems": 500,
                    "type": "array"
                  },
                  "request": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                  "settledBefore": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                  "sums": {"type": "boolean"},
                  "user": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                  "version": {"const": 1}
                },
                "required": ["version", "user", "client", "request"],
                "type": "object"
              },
              "ExchangeReply": {
                "properties": {
                  "answers": {"type": "array"},
                  "answersDigest": {"type": "string"},
                  "cursor": {"type": "integer"},
                  "digest": {"type": "string"},
                  "epoch": {"type": "string"},
                  "full": {"type": "boolean"},
                  "head": {"type": "array"},
                  "held": {"type": "object"},
                  "more": {"type": "boolean"},
                  "records": {"type": "array"},
                  "request": {"type": "integer"},
                  "results": {"type": "array"},
                  "staleDevice": {"type": "boolean"},
                  "sums": {"type": "object"},
                  "tooOld": {"type": "boolean"}
                },
                "required": ["request", "epoch", "cursor"],
                "type": "object"
              },
              "Export": {
                "properties": {"account": {"type": "object"}, "answers": {"type": "array"}},
                "required": ["account", "answers"],
                "type": "object"
              },
              "ExamChanges": {
                "properties": {
                  "contentUpdatedAt": {"type": "string"},
                  "exam": {"type": "string"},
                  "full": {"const": true},
                  "more": {"const": true},
                  "next": {"type": "string"},
                  "questions": {"items": {"$ref": "#/components/schemas/Question"}, "type": "array"},
                  "removed": {"items": {"type": "string"}, "type": "array"}
                },
                "required": ["exam", "contentUpdatedAt", "questions", "removed", "next"],
                "type": "object"
              },
              "ExamQuestions": {
                "properties": {
                  "contentUpdatedAt": {"type": "string"},
                  "exam": {"type": "string"},
                  "next": {"type": "string"},
                  "questions": {"items": {"$ref": "#/components/schemas/Question"}, "type": "array"}
                },
                "required": ["exam", "contentUpdatedAt", "questions"],
                "type": "object"
              },
              "ExternalToken": {
                "properties": {
                  "current_password": {"maxLength": 8192, "minLength": 1, "type": ["string", "null"]},
                  "token": {"maxLength": 8192, "minLength": 1, "type": "string"}
                },
                "required": ["token"],
                "type": "object"
              },
              "Fields": {
                "additionalProperties": {"$ref": "#/components/schemas/Value"},
                "maxProperties": 64,
                "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$", "type": "string"},
                "type": "object"
              },
              "NamedColumn": {
                "properties": {
                  "at": {"items": {"type": "integer"}, "type": "array"},
                  "names": {
                    "items": {"items": {"type": "string"}, "type": "array"},
                    "type": "array"
                  }
                },
                "required": ["names", "at"],
                "type": "object"
              },
              "Move": {
                "properties": {
                  "from": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                  "proof": {"description": "A refresh token of the account that moves; it is not used up.", "maxLength": 8192, "minLength": 1, "type": "string"}
                },
                "required": ["from", "proof"],
                "type": "object"
              },
              "MoveState": {
                "properties": {
                  "answers": {"minimum": 0, "type": "integer"},
                  "differences": {"minimum": 0, "type": "integer"},
                  "done": {"minimum": 0, "type": "integer"},
                  "of": {"minimum": 0, "type": "integer"},
                  "records": {"minimum": 0, "type": "integer"},
                  "state": {"enum": ["moving", "moved"], "type": "string"}
                },
                "required": ["state"],
                "type": "object"
              },
              "NewCredentials": {
                "properties": {
                  "current_password": {"maxLength": 8192, "minLength": 1, "type": ["string", "null"]},
                  "email": {
                    "pattern": "^[a-z0-9.]{1,60}@[a-z0-9]{1,60}\\.[a-z]{2,10}$",
                    "type": "string"
                  },
                  "password": {"pattern": "^[ -~]{8,256}$", "type": "string"}
                },
                "required": ["email", "password"],
                "type": "object"
              },
              "Operation": {
                "properties": {
                  "collection": {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$", "type": "string"},
                  "count": {
                    "items": false,
                    "maxItems": 3,
                    "minItems": 3,
                    "prefixItems": [
                      {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$", "type": "string"},
                      {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                      {"maximum": 9007199254740992, "minimum": 0, "type": "integer"}
                    ],
                    "type": "array"
                  },
                  "delete": {"const": true},
                  "follows": {
                    "items": false,
                    "maxItems": 2,
                    "minItems": 2,
                    "prefixItems": [
                      {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                      {"maximum": 9007199254740992, "minimum": 0, "type": "integer"}
                    ],
                    "type": "array"
                  },
                  "from": {
                    "items": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                    "maxItems": 2,
                    "minItems": 2,
                    "type": "array"
                  },
                  "id": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"},
                  "n": {"maximum": 9007199254740992, "minimum": 1, "type": "integer"},
                  "put": {"$ref": "#/components/schemas/Fields"},
                  "restore": {"type": "object"},
                  "saw": {
                    "additionalProperties": {
                      "maximum": 9007199254740992, "minimum": 0, "type": "integer"
                    },
                    "maxProperties": 128,
                    "propertyNames": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$"},
                    "type": "object"
                  },
                  "schema": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                  "seen": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                  "time": {
                    "items": {"maximum": 9007199254740992, "minimum": 0, "type": "integer"},
                    "maxItems": 2,
                    "minItems": 2,
                    "type": "array"
                  }
                },
                "required": ["n", "collection", "id", "time"],
                "type": "object"
              },
              "PasswordReset": {
                "properties": {
                  "code": {"maxLength": 64, "minLength": 1, "type": "string"},
                  "email": {"maxLength": 254, "minLength": 1, "type": "string"},
                  "password": {"pattern": "^[ -~]{8,256}$", "type": "string"},
                  "user": {
                    "description": "The account, where the code takes back that its email was changed or removed.",
                    "maxLength": 200, "minLength": 1, "type": ["string", "null"]
                  }
                },
                "required": ["email", "code", "password"],
                "type": "object"
              },
              "Plain": {
                "anyOf": [
                  {"maxLength": 4000, "pattern": "^[^\\u0000]*$", "type": "string"},
                  {"maximum": 9007199254740992, "minimum": -9007199254740992, "type": "number"},
                  {"type": ["boolean", "null"]}
                ]
              },
              "Problem": {
                "properties": {
                  "code": {"type": "string"},
                  "current": {"$ref": "#/components/schemas/Record"},
                  "detail": {"type": "string"},
                  "status": {"type": "integer"},
                  "title": {"type": "string"},
                  "type": {"type": "string"}
                },
                "required": ["type", "title", "status", "detail"],
                "type": "object"
              },
              "Profile": {
                "properties": {
                  "friendCode": {"pattern": "^[0-9A-Z]{10}$", "type": "string"},
                  "isListed": {"type": "boolean"},
                  "name": {"maxLength": 120, "minLength": 1, "type": "string"}
                },
                "required": ["isListed", "friendCode"],
                "type": "object"
              },
              "ProfileChange": {
                "additionalProperties": false,
                "properties": {
                  "isListed": {"default": true, "type": "boolean"},
                  "name": {
                    "description": "1 to 30 visible characters; none without it.",
                    "maxLength": 120,
                    "minLength": 1,
                    "type": ["string", "null"]
                  }
                },
                "type": "object"
              },
              "Progress": {
                "properties": {"days": {"type": "array"}, "domains": {"type": "array"}},
                "required": ["days", "domains"],
                "type": "object"
              },
              "Question": {
                "description": "A question as in a release.",
                "properties": {
                  "difficulty": {"maximum": 5, "minimum": 1, "type": "integer"},
                  "id": {"type": "string"},
                  "stem": {"type": "string"},
                  "type": {"type": "string"}
                },
                "required": ["id", "type", "difficulty", "stem"],
                "type": "object"
              },
              "Record": {
                "properties": {
                  "fields": {"$ref": "#/components/schemas/Fields"},
                  "id": {"type": "string"},
                  "revision": {"type": "integer"}
                },
                "required": ["id", "revision", "fields"],
                "type": "object"
              },
              "RecordBody": {
                "properties": {"fields": {"$ref": "#/components/schemas/Fields"}},
                "required": ["fields"],
                "type": "object"
              },
              "RecordPage": {
                "properties": {
                  "next": {"type": "string"},
                  "records": {"items": {"$ref": "#/components/schemas/Record"}, "type": "array"}
                },
                "required": ["records"],
                "type": "object"
              },
              "RefreshToken": {
                "properties": {
                  "refresh_token": {"maxLength": 8192, "minLength": 1, "type": "string"}
                },
                "required": ["refresh_token"],
                "type": "object"
              },
              "Tokens": {
                "properties": {
                  "access_token": {"type": "string"},
                  "copied": {"description": "True when a refresh token had been used before and opened a session for a copy of the device.", "type": "boolean"},
                  "expires_in": {"type": "integer"},
                  "refresh_token": {"type": "string"},
                  "token_type": {"type": "string"},
                  "user": {"type": "string"}
                },
                "required": ["user", "access_token", "refresh_token", "token_type", "expires_in"],
                "type": "object"
              },
              "Uptake": {
                "properties": {
                  "counts": {
                    "items": {
                      "properties": {
                        "devices": {"minimum": 1, "type": "integer"},
                        "obstacle": {
                          "enum": [
                            "unreachable", "captivePortal", "networkNotAllowed", "damagedDownload",
                            "badManifest", "untrusted", "expired", "olderRelease", "rollout",
                            "outdatedApp", "vetoed", "banned", "storage", "other"
                          ],
                          "type": "string"
                        },
                        "release": {"minimum": 0, "type": "integer"}
                      },
                      "required": ["devices"],
                      "type": "object"
                    },
                    "type": "array"
                  },
                  "days": {"minimum": 1, "type": "integer"},
                  "devices": {"minimum": 0, "type": "integer"}
                },
                "required": ["counts", "days", "devices"],
                "type": "object"
              },
              "Value": {
                "anyOf": [
                  {"$ref": "#/components/schemas/Plain"},
                  {
                    "items": {"$ref": "#/components/schemas/Plain"},
                    "maxItems": 256,
                    "type": "array"
                  }
                ]
              },
              "Way": {
                "properties": {
                  "id": {"type": "string"},
                  "issuer": {"type": "string"},
                  "name": {"type": "string"},
                  "verified": {"type": "boolean"}
                },
                "required": ["id", "name", "verified"],
                "type": "object"
              },
              "WayRemoval": {
                "properties": {
                  "accept_last": {"type": ["boolean", "null"]},
                  "current_password": {"maxLength": 8192, "minLength": 1, "type": ["string", "null"]},
                  "way": {"maxLength": 64, "minLength": 1, "type": "string"}
                },
                "required": ["way"],
                "type": "object"
              },
              "Ways": {
                "properties": {
                  "ways": {"items": {"$ref": "#/components/schemas/Way"}, "type": "array"}
                },
                "required": ["ways"],
                "type": "object"
              }
            },
            "securitySchemes": {"token": {"scheme": "bearer", "type": "http"}}
          },
          "info": {
            "description": "Accounts, the exchange of user data, and records as plain resources. docs/sync.md defines the behaviour of a client.",
            "title": "Underway user data",
            "version": "1"
          },
          "openapi": "3.1.0",
          "paths": {
            "/api/accounts/v1/account": {
              "delete": {
                "operationId": "deleteAccount",
                "responses": {
                  "204": {"description": "Done."},
                  "401": {"$ref": "#/components/responses/E401"},
                  "409": {"$ref": "#/components/responses/E409"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Delete the account with all its data; this cannot be undone."
              }
            },
            "/api/accounts/v1/anonymous": {
              "post": {
                "operationId": "makeAnonymousAccount",
                "responses": {
                  "201": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}
                    },
                    "description": "The account."
                  },
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Create an account for a device without one."
              }
            },
            "/api/accounts/v1/devices": {
              "get": {
                "operationId": "listDevices",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Devices"}}
                    },
                    "description": "The devices in use, the last used first."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "List the devices of the account."
              }
            },
            "/api/accounts/v1/devices/{id}": {
              "delete": {
                "operationId": "forgetDevice",
                "responses": {
                  "204": {"description": "Done."},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Remove a device; its data remains."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "id",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z0-9._:~@+-]{1,200}$", "type": "string"}
                }
              ]
            },
            "/api/accounts/v1/email/request-verification": {
              "post": {
                "operationId": "requestVerification",
                "responses": {
                  "202": {"description": "A code was sent."},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Send a code to the account's email."
              }
            },
            "/api/accounts/v1/email/verify": {
              "post": {
                "operationId": "verifyEmail",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/EmailCode"}}
                  },
                  "required": true
                },
                "responses": {
                  "204": {"description": "Done."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Confirm the account's email with the code."
              }
            },
            "/api/accounts/v1/export": {
              "get": {
                "operationId": "export",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Export"}}
                    },
                    "description": "All data of the user."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Export all data of the user."
              }
            },
            "/api/accounts/v1/external": {
              "post": {
                "operationId": "signInExternally",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/ExternalToken"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}
                    },
                    "description": "The account."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "422": {"$ref": "#/components/responses/E422"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [{}, {"token": []}],
                "summary": "Sign in with a token of an external issuer; with an access token, link it to the account."
              }
            },
            "/api/accounts/v1/move": {
              "post": {
                "description": "The state is moving, and Retry-After says when to ask again, until it is moved; the pair of accounts is the identity of the request. A reply with the code tooMuch has the numbers of both accounts together.",
                "operationId": "moveAccount",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Move"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/MoveState"}}
                    },
                    "description": "The state of the move."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "409": {"$ref": "#/components/responses/E409"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "422": {"$ref": "#/components/responses/E422"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Move another account into this one; the other one is closed."
              }
            },
            "/api/accounts/v1/password/request-reset": {
              "post": {
                "operationId": "requestPasswordReset",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/EmailAddress"}}
                  },
                  "required": true
                },
                "responses": {
                  "202": {"description": "Accepted; the reply reveals nothing about the email."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Send a code that sets a new password."
              }
            },
            "/api/accounts/v1/password/reset": {
              "post": {
                "operationId": "resetPassword",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/PasswordReset"}}
                  },
                  "required": true
                },
                "responses": {
                  "204": {"description": "Done."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Set a new password with a code; all sessions end."
              }
            },
            "/api/accounts/v1/refresh": {
              "post": {
                "operationId": "refresh",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/RefreshToken"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}
                    },
                    "description": "The account."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Exchange a refresh token, which becomes invalid, for new tokens."
              }
            },
            "/api/accounts/v1/revoke": {
              "post": {
                "operationId": "revoke",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/RefreshToken"}}
                  },
                  "required": true
                },
                "responses": {
                  "204": {"description": "Done."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Revoke a refresh token."
              }
            },
            "/api/accounts/v1/revoke-all": {
              "post": {
                "operationId": "revokeAll",
                "responses": {
                  "204": {"description": "Done."},
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Sign out everywhere."
              }
            },
            "/api/accounts/v1/sign-in": {
              "post": {
                "operationId": "signIn",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Credentials"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Tokens"}}
                    },
                    "description": "The account."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Sign in with email and password."
              }
            },
            "/api/accounts/v1/upgrade": {
              "post": {
                "operationId": "upgrade",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/NewCredentials"}}
                  },
                  "required": true
                },
                "responses": {
                  "204": {"description": "Done."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "409": {"$ref": "#/components/responses/E409"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Set an email and a password."
              }
            },
            "/api/accounts/v1/ways": {
              "get": {
                "operationId": "listWays",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Ways"}}
                    },
                    "description": "The sign-in methods, the email first."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "List the sign-in methods of the account."
              }
            },
            "/api/accounts/v1/ways/remove": {
              "post": {
                "operationId": "removeWay",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/WayRemoval"}}
                  },
                  "required": true
                },
                "responses": {
                  "204": {"description": "Done."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "409": {"$ref": "#/components/responses/E409"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Remove a sign-in method; other sessions end."
              }
            },
            "/api/operations/v1/audit": {
              "get": {
                "description": "For accounts with the role administrator, which the operator gives. The newest entries come first; the number of the last one is the next request's before.",
                "operationId": "audit",
                "parameters": [
                  {
                    "description": "Only this action, as role.granted, or all that begin with this word, as role.",
                    "in": "query",
                    "name": "action",
                    "schema": {"maxLength": 64, "pattern": "^[a-z.-]+$", "type": "string"}
                  },
                  {
                    "description": "Only entries with a smaller number.",
                    "in": "query",
                    "name": "before",
                    "schema": {"maximum": 9007199254740991, "minimum": 1, "type": "integer"}
                  },
                  {
                    "description": "The most entries.",
                    "in": "query",
                    "name": "limit",
                    "schema": {"default": 100, "maximum": 1000, "minimum": 1, "type": "integer"}
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Audit"}}
                    },
                    "description": "The entries."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Read the audit log: who did what to the server."
              }
            },
            "/api/operations/v1/uptake": {
              "get": {
                "description": "For accounts with any role. Devices of the last days count by what they said with their last exchange; counts without a release are those of all releases that are not listed by themselves.",
                "operationId": "uptake",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Uptake"}}
                    },
                    "description": "The counts."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Count the devices by the release that they have and by what stops them."
              }
            },
            "/api/sync/v1/exchange": {
              "post": {
                "operationId": "exchange",
                "parameters": [
                  {
                    "description": "The release that the device has, and what stops it from following: release=17, obstacle=storage. What cannot be read counts as nothing.",
                    "in": "header",
                    "name": "Underway-Content",
                    "schema": {"maxLength": 128, "pattern": "^[!-~ ]*$", "type": "string"}
                  }
                ],
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Exchange"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/ExchangeReply"}}
                    },
                    "description": "The results, changes and answers."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "403": {"$ref": "#/components/responses/E403"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Push and pull in one round trip."
              }
            },
            "/api/v1/boards": {
              "get": {
                "operationId": "boards",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Boards"}}
                    },
                    "description": "The boards, by name."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "List the leaderboards."
              }
            },
            "/api/v1/boards/{board}/{period}": {
              "get": {
                "operationId": "board",
                "parameters": [
                  {
                    "description": "The number of the best places.",
                    "in": "query",
                    "name": "top",
                    "schema": {"default": 10, "maximum": 100, "minimum": 0, "type": "integer"}
                  },
                  {
                    "description": "The first day of an earlier period.",
                    "in": "query",
                    "name": "first",
                    "schema": {"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "type": "string"}
                  },
                  {
                    "description": "Friend codes, separated by commas.",
                    "in": "query",
                    "name": "friends",
                    "schema": {
                      "pattern": "^([0-9A-Z]{10}(,[0-9A-Z]{10}){0,49})?$", "type": "string"
                    }
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Board"}}
                    },
                    "description": "The board."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Read a leaderboard: the best places, the own one with its neighbours, and friends."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "board",
                  "required": true,
                  "schema": {"pattern": "^[a-z0-9][a-z0-9-]{0,39}$", "type": "string"}
                },
                {
                  "in": "path",
                  "name": "period",
                  "required": true,
                  "schema": {"enum": ["day", "week", "month", "all"], "type": "string"}
                }
              ]
            },
            "/api/v1/collections/{collection}": {
              "get": {
                "operationId": "listRecords",
                "parameters": [
                  {
                    "in": "query",
                    "name": "limit",
                    "schema": {"maximum": 500, "minimum": 1, "type": "integer"}
                  },
                  {
                    "in": "query",
                    "name": "after",
                    "schema": {"pattern": "^[A-Za-z0-9._:/~@+-]{1,200}$", "type": "string"}
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/RecordPage"}}
                    },
                    "description": "A page of records."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Read a page of a collection."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "collection",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$", "type": "string"}
                }
              ]
            },
            "/api/v1/collections/{collection}/{id}": {
              "delete": {
                "operationId": "deleteRecord",
                "parameters": [
                  {
                    "in": "header",
                    "name": "If-Match",
                    "schema": {"pattern": "^\"[0-9]{1,15}\"$", "type": "string"}
                  }
                ],
                "responses": {
                  "204": {"description": "Done."},
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "409": {"$ref": "#/components/responses/E409"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "422": {"$ref": "#/components/responses/E422"},
                  "428": {"$ref": "#/components/responses/E428"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Delete a record."
              },
              "get": {
                "operationId": "readRecord",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Record"}}
                    },
                    "description": "The record."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Read a record."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "collection",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$", "type": "string"}
                },
                {
                  "in": "path",
                  "name": "id",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z0-9._:~@+-]{1,200}$", "type": "string"}
                }
              ],
              "put": {
                "operationId": "putRecord",
                "parameters": [
                  {
                    "in": "header",
                    "name": "If-Match",
                    "schema": {"pattern": "^\"[0-9]{1,15}\"$", "type": "string"}
                  }
                ],
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/RecordBody"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Record"}}
                    },
                    "description": "Changed."
                  },
                  "201": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Record"}}
                    },
                    "description": "Created."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "409": {"$ref": "#/components/responses/E409"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "422": {"$ref": "#/components/responses/E422"},
                  "428": {"$ref": "#/components/responses/E428"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Set all fields of a record."
              }
            },
            "/api/v1/events": {
              "get": {
                "operationId": "listEvents",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Events"}}
                    },
                    "description": "The events."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "List the live events of the server."
              }
            },
            "/api/v1/events/{event}": {
              "get": {
                "operationId": "event",
                "parameters": [
                  {
                    "description": "The number of the best places.",
                    "in": "query",
                    "name": "top",
                    "schema": {"default": 10, "maximum": 100, "minimum": 0, "type": "integer"}
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/EventPlaces"}}
                    },
                    "description": "The places."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Read the places of a live event: the best ones and the own one."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "event",
                  "required": true,
                  "schema": {"pattern": "^[a-z0-9][a-z0-9-]{0,39}$", "type": "string"}
                }
              ]
            },
            "/api/v1/events/{event}/stream": {
              "get": {
                "description": "Server-sent events named places, whose data is as of /api/v1/events/{event} without the own place: at most two a second, the newest alone for a slow reader, the last with isFinal. Comments are heartbeats. The stream ends after ten minutes; the client then connects again with Last-Event-ID.",
                "operationId": "watchEvent",
                "parameters": [
                  {
                    "description": "The id of the last event that was received: it is not sent again while it is current.",
                    "in": "header",
                    "name": "Last-Event-ID",
                    "schema": {"pattern": "^[0-9a-f]{18}$", "type": "string"}
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "text/event-stream": {"schema": {"type": "string"}}
                    },
                    "description": "The stream."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Follow the places of a live event."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "event",
                  "required": true,
                  "schema": {"pattern": "^[a-z0-9][a-z0-9-]{0,39}$", "type": "string"}
                }
              ]
            },
            "/api/v1/events/{event}/submissions": {
              "parameters": [
                {
                  "in": "path",
                  "name": "event",
                  "required": true,
                  "schema": {"pattern": "^[a-z0-9][a-z0-9-]{0,39}$", "type": "string"}
                }
              ],
              "post": {
                "description": "A submission counts once, however often it is sent: the id is unique among the user's submissions to the event. The verdict says whether it was counted, and why not.",
                "operationId": "submitToEvent",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/EventSubmission"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/EventReceipt"}}
                    },
                    "description": "The verdict, with the score and the rank."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Submit points to a live event."
              }
            },
            "/api/v1/exams/{region}/{exam}/changes": {
              "get": {
                "operationId": "listExamChanges",
                "parameters": [
                  {
                    "in": "query",
                    "name": "limit",
                    "schema": {"maximum": 500, "minimum": 1, "type": "integer"}
                  },
                  {
                    "in": "query",
                    "name": "since",
                    "schema": {"pattern": "^[0-9a-f]{8}\\.[0-9]{1,15}\\.[0-9]{1,15}\\.$", "type": "string"}
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/ExamChanges"}}
                    },
                    "description": "A page of changes."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Read the changed questions of an exam."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "region",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", "type": "string"}
                },
                {
                  "in": "path",
                  "name": "exam",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", "type": "string"}
                }
              ]
            },
            "/api/v1/exams/{region}/{exam}/questions": {
              "get": {
                "operationId": "listExamQuestions",
                "parameters": [
                  {
                    "in": "query",
                    "name": "limit",
                    "schema": {"maximum": 500, "minimum": 1, "type": "integer"}
                  },
                  {
                    "in": "query",
                    "name": "after",
                    "schema": {"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", "type": "string"}
                  },
                  {
                    "in": "query",
                    "name": "difficulty",
                    "schema": {"maximum": 5, "minimum": 1, "type": "integer"}
                  }
                ],
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/ExamQuestions"}}
                    },
                    "description": "A page of questions."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "404": {"$ref": "#/components/responses/E404"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "security": [],
                "summary": "Read the questions of an exam at a difficulty."
              },
              "parameters": [
                {
                  "in": "path",
                  "name": "region",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", "type": "string"}
                },
                {
                  "in": "path",
                  "name": "exam",
                  "required": true,
                  "schema": {"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", "type": "string"}
                }
              ]
            },
            "/api/v1/profile": {
              "get": {
                "operationId": "profile",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Profile"}}
                    },
                    "description": "The profile."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Read the own profile on leaderboards."
              },
              "put": {
                "operationId": "setProfile",
                "requestBody": {
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/ProfileChange"}}
                  },
                  "required": true
                },
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Profile"}}
                    },
                    "description": "The profile as it is now."
                  },
                  "400": {"$ref": "#/components/responses/E400"},
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "413": {"$ref": "#/components/responses/E413"},
                  "415": {"$ref": "#/components/responses/E415"},
                  "422": {"$ref": "#/components/responses/E422"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Set the display name, and whether the learner has places on leaderboards."
              }
            },
            "/api/v1/progress": {
              "get": {
                "operationId": "progress",
                "responses": {
                  "200": {
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Progress"}}
                    },
                    "description": "The counts of answers."
                  },
                  "401": {"$ref": "#/components/responses/E401"},
                  "410": {"$ref": "#/components/responses/E410"},
                  "429": {"$ref": "#/components/responses/E429"},
                  "503": {"$ref": "#/components/responses/E503"}
                },
                "summary": "Count answers by day and by domain."
              }
            }
          },
          "security": [{"token": []}]
        }
        """#
}
