# All images at once: docker buildx bake -f docker-compose.yml -f deploy/docker-bake.hcl default parley
# The services' and the web application's are those of docker-compose.yml; here is the one with everything in it.
variable "PARLEY_REGISTRY" { default = "parley" }
variable "PARLEY_VERSION" { default = "local" }
# Empty is that of the Dockerfile.
variable "NODE_IMAGE" { default = "" }

target "parley" {
  context    = "."
  dockerfile = "deploy/Dockerfile"
  target     = "one"
  args       = { SERVICE = "all-in-one", WEB = "web", NODE_IMAGE = NODE_IMAGE == "" ? null : NODE_IMAGE }
  contexts   = { web = "target:web" }
  tags       = ["${PARLEY_REGISTRY}/parley:${PARLEY_VERSION}"]
}
