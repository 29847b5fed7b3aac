# All images at once: docker buildx bake -f docker-compose.yml -f deploy/docker-bake.hcl default parley
# The images of the services and the web application are defined in docker-compose.yml, the one with everything here.
variable "PARLEY_REGISTRY" { default = "parley" }
variable "PARLEY_VERSION" { default = "local" }
# If empty, the Dockerfile's.
variable "NODE_IMAGE" { default = "" }

target "parley" {
  context    = "."
  dockerfile = "deploy/Dockerfile"
  target     = "one"
  args       = { SERVICE = "all-in-one", WEB = "web", NODE_IMAGE = NODE_IMAGE == "" ? null : NODE_IMAGE }
  contexts   = { web = "target:web" }
  tags       = ["${PARLEY_REGISTRY}/parley:${PARLEY_VERSION}"]
}
